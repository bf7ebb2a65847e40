package markup_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// rows reads the lines of a table, split into words.
func rows(tb testing.TB, file string) [][]string {
	tb.Helper()
	table, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	var all [][]string
	for line := range strings.Lines(string(table)) {
		if f := strings.Fields(line); f[0] != "#" {
			all = append(all, f)
		}
	}
	return all
}

// contexts are pages with an element whose name is %[1]s.
var contexts = strings.Split(`<%[1]s>x
<%[1]s/>x</%[1]s>y
</%[1]s>x
<html><%[1]s>x
<head><%[1]s>x
<head></head><%[1]s>x
<head></head></%[1]s>x
<head><noscript><%[1]s>x</%[1]s>y
<!DOCTYPE html><p>a<%[1]s>b</%[1]s>c</p>d
<div><%[1]s>a</div>b</%[1]s>c
<%[1]s><div>a</%[1]s>b
<%[1]s><p>a</%[1]s>b</p>c
<%[1]s><span>a</%[1]s>b
<%[1]s>a<%[1]s>b</%[1]s>c</%[1]s>d
<b><%[1]s>a</b>b</%[1]s>c
<%[1]s><b>a</%[1]s>b</b>c
<a><%[1]s><a>x
<nobr><%[1]s><nobr>x
<p><%[1]s><p>x
<li><%[1]s><li>x
<dd><%[1]s><dt>x
<ul><li><%[1]s></li>x
<button><%[1]s><button>x
<h1><%[1]s></h2>x
<form><%[1]s></form>x
<select><%[1]s>a<option>b<%[1]s>c</select>d
<option><%[1]s><option>x<optgroup>y
<ruby><%[1]s><rt>x<rb>y
<object><%[1]s></object>x
<table><%[1]s>a<tr>b</table>c
<table></%[1]s>x
<table><tr><%[1]s>a</tr>b
<table><tr></%[1]s>x
<table><tbody><%[1]s>x
<table><tbody></%[1]s>x
<table><td><%[1]s>a</td>b
<table><td></%[1]s>x
<table><caption><%[1]s>a</caption>b
<table><caption></%[1]s>x
<table><colgroup><%[1]s>x
<table><colgroup></%[1]s>x
<template><%[1]s>a</template>b
<template></%[1]s>x</template>
<frameset><%[1]s>x
<frameset></%[1]s> x
<frameset></frameset><%[1]s>x
<frameset></frameset></html><%[1]s> x
<%[1]s><frameset>x
<body></body><%[1]s>x
<body></body></html></%[1]s>x
<svg><%[1]s>a</%[1]s>b</svg>c
<svg></%[1]s>x
<svg><desc><%[1]s>a</desc>b
<svg><%[1]s><p>x
<math><%[1]s>a</%[1]s>b
<math><mi><%[1]s>a</mi>b
<math><%[1]s><table>x
<svg><%[1]s><tr>x<table><%[1]s>
<%[1]s><template>a</%[1]s>b`, "\n")

// TestEveryElement compares every element of the table in every context, and every
// pair of elements nested.
func TestEveryElement(t *testing.T) {
	elements := rows(t, "elements.txt")
	for _, e := range elements {
		for _, page := range contexts {
			checkBoth(t, fmt.Sprintf(page, e[0]))
		}
	}
	step := 1
	if testing.Short() {
		step = 31
	}
	for i := 0; i < len(elements)*len(elements) && !t.Failed(); i += step {
		a, b := elements[i/len(elements)][0], elements[i%len(elements)][0]
		checkBoth(t, fmt.Sprintf("<!DOCTYPE html><body><%s><%s>1</%s>2</%s>3<p>4", a, b, a, b))
		checkBoth(t, fmt.Sprintf("<table><%s>1<%s>2</%s>3</table>4</%s>5", a, b, a, b))
	}
}

// TestEveryForeignName compares the names of SVG and MathML in lower and upper
// case, in either namespace and in HTML.
func TestEveryForeignName(t *testing.T) {
	for _, row := range rows(t, "foreign.txt") {
		for _, name := range []string{row[len(row)-1], strings.ToUpper(row[len(row)-1])} {
			for _, outer := range []string{"svg", "math", "div"} {
				checkBoth(t, fmt.Sprintf("<%s %s=1><%s %s=2 x%s>x</%s>y", outer, name, name, name, name, name))
			}
		}
	}
}
