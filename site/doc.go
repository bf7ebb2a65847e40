// Package site holds what lede learns about a news site while it reads it.
//
// A page adds an Observation to the Profile of its site: which rows of text it
// has, what it is made of, and, where the extraction was confident, where its
// headline, body, byline and date stand. A Profile finds on the next page what
// it knows of the site: rows that are the same on all its pages (StaDyNoT's
// static noise), what always follows the body, and where things stand.
//
// Pages of one site cluster by the shape of their tags, so that articles,
// videos and live pages each have a template of their own. What is known fades
// with every page of the same template: a redesign is forgotten after some
// twenty pages, and sooner where it is noticed.
//
// Correct applies what was found to the choice of any method.
//
// Nothing here is labelled by hand, and nothing here grows without end: a
// profile stays below MaxBytes however many pages it has seen.
//
// The package does no I/O. A store appends observations to a log and saves
// profiles now and then, both in the binary form or as JSON that people can
// read and edit.
package site
