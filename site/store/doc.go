// Package store keeps the profiles of sites from one run to the next.
//
// There are three stores behind one interface: one in memory, one SQLite file
// for any number of sites and processes, and a folder of JSON for people who
// want to read and edit what was learned. [Open] chooses by the path.
//
// All of them keep a profile as a snapshot and a log: a page appends its
// observation, which is small, and every so many pages the log is folded into
// the snapshot. A page is in the log, in one piece, when Add returns, so that a
// crash of the process loses the page in work and no other. A crash of the
// whole machine may also lose the last seconds, but breaks nothing;
// [Options.Sync] closes that gap for the price of a sync a page.
//
// Several processes may use a file or folder at once. Their pages go into one
// log, in one order, so that all of them arrive at the same profile, whoever
// folds it. A process sees what others have added when it next asks.
//
// A record that cannot be read is reported, kept aside for people to look at,
// and learned anew from the pages to come. It never stops a run.
package store
