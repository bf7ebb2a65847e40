// Package visual trains the template-independent wrapper (package wrapper) and
// runs the experiments of its paper.
//
// Labels come from people ([FromLabels]) or from gold: [Label] finds the two
// subtrees that a person would have chosen. What a page teaches are its
// candidates, one of them right; [Train] learns from those of many pages.
// [Table2], [Tables34] and [Table5] print what the paper prints, beside the
// paper's own figures.
package visual
