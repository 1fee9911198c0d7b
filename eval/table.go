package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A table is what is printed: text all over, numbers to the right.
type table struct {
	title string
	head  []string
	rows  [][]string
	note  string // below it
	left  int    // columns of text, the first ones; the rest are numbers
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// text prints the table with aligned columns.
func (t *table) text(w io.Writer) error {
	width := make([]int, len(t.head))
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i, c := range row {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", t.title)
	line := func(row []string) {
		var l strings.Builder
		for i, c := range row {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c))
			if i < t.left {
				l.WriteString(c + pad + "  ")
			} else {
				l.WriteString(pad + c + "  ")
			}
		}
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
	line(t.head)
	for _, row := range t.rows {
		line(row)
	}
	if t.note != "" {
		fmt.Fprintf(&b, "\n%s\n", t.note)
	}
	_, err := io.WriteString(w, b.String()+"\n\n")
	return err
}

// markdown prints the table for GitHub and its like.
func (t *table) markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", t.title)
	line := func(row []string) {
		b.WriteString("|")
		for _, c := range row {
			b.WriteString(" " + strings.ReplaceAll(c, "|", `\|`) + " |")
		}
		b.WriteString("\n")
	}
	line(t.head)
	b.WriteString("|")
	for i := range t.head {
		if i < t.left {
			b.WriteString("-|")
		} else {
			b.WriteString("-:|")
		}
	}
	b.WriteString("\n")
	for _, row := range t.rows {
		line(row)
	}
	if t.note != "" {
		fmt.Fprintf(&b, "\n%s\n", t.note)
	}
	_, err := io.WriteString(w, b.String()+"\n")
	return err
}
