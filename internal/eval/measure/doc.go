// Package measure says how close an extraction comes to the gold of its page,
// by the measures of the papers and of the field.
package measure
