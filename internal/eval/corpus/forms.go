package corpus

import (
	"fmt"
	"strings"
)

// Form is a way in which pages and their gold lie in a folder.
type Form struct {
	Name  string
	About string // what it is, in a few words
	Look  string // what is in the folder
}

// Forms lists the forms that Open reads.
func Forms() []Form {
	var all []Form
	for _, f := range forms() {
		all = append(all, f.Form)
	}
	return all
}

type form struct {
	Form
	charset string
	is      func(*listing) bool // whether a folder looks like it
	read    func(*reader) error
}

func forms() []form {
	return []form{
		{Form{"shared", "lede's own form, which lede newsroom writes too",
			"gold.jsonl, a page a line, and pages/ID.html or pages/ID.html.gz"}, "utf-8", isShared, readShared},
		{Form{"folder", "pages and their texts as plain files",
			"X.html or X.htm beside X.txt, or html/X.html and text/X.txt or txt/X.txt, packed or not"}, "", isFolder, readFolder},
		{Form{"cleaneval", "the CleanEval competition of 2007",
			"en_original/N.html and en_cleaned/N-cleaned.txt, or finalrun-input/ or input/ and GoldStandard/, or both kinds of files side by side"}, "utf-8", isCleanEval, readCleanEval},
		{Form{"l3s", "the labelled Google News pages L3S-GN1",
			"original/ID.html and annotated/ID.html with labels as classes, and url-mapping.txt"}, "", isL3S, readL3S},
		{Form{"aeb", "the article-extraction-benchmark",
			"ground-truth.json and html/ID.html.gz"}, "utf-8", isAEB, readAEB},
		{Form{"evaldata", "trafilatura's evaluation",
			"evaldata.py or evaldata.json, with pages in cache/ and eval/"}, "", isEvalData, readEvalData},
	}
}

// choose finds the form by its name, or by the look of the folder. The plain folder
// asks for so little that it counts only when nothing else is there.
func choose(l *listing, name string) (*form, error) {
	var alike []form
	var names, known []string
	var plain *form
	for _, f := range forms() {
		known = append(known, f.Name)
		is := f.is(l)
		switch {
		case name == f.Name && !is:
			return nil, fmt.Errorf("%w of the form %s: there must be %s", ErrNoCorpus, name, f.Look)
		case name == f.Name:
			return &f, nil
		case name == "" && is && f.Name == "folder":
			plain = &f
		case name == "" && is:
			alike = append(alike, f)
			names = append(names, f.Name)
		}
	}
	switch {
	case name != "":
		return nil, fmt.Errorf("no form of corpora is called %q; there is %s", name, strings.Join(known, ", "))
	case len(alike) > 1:
		return nil, fmt.Errorf("the folder looks like corpora of the forms %s; say which it is", strings.Join(names, " and "))
	case len(alike) == 1:
		return &alike[0], nil
	case plain != nil:
		return plain, nil
	}
	var looks []string
	for _, f := range Forms() {
		looks = append(looks, f.Name+" has "+f.Look)
	}
	return nil, fmt.Errorf("%w of any form: %s", ErrNoCorpus, strings.Join(looks, "; "))
}
