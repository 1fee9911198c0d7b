package analyzer

import "bytes"

// This file reads declarations without function bodies. Of packages whose
// templates are kept nothing else is of interest, nor of functions that the
// library model describes, and most of what the parser does is bodies. They are
// overwritten with blanks before it sees them, so that every position stays what
// it was.

// withoutBodies returns the source of a file without what its functions do, or
// the source itself where that cannot be told apart line by line. Whatever it
// makes of text that is no Go, the parser rejects text that it would reject.
func withoutBodies(src []byte) []byte {
	return blank(src, func(*blanker, int, int) bool { return true })
}

// blank returns the source of a file without the bodies that gone agrees to, which
// is told where a function's name or receiver begins, and its body.
func blank(src []byte, gone func(b *blanker, head, body int) bool) []byte {
	if bytes.Contains(src, []byte("//line ")) || bytes.Contains(src, []byte("/*line ")) {
		return src // a directive in a body says where what follows it stands
	}
	b := &blanker{src: src, out: bytes.Clone(src), gone: gone}
	for start := true; b.at < len(src); {
		switch c := src[b.at]; {
		case c == '\n':
			b.at++
			start = true
			continue
		case b.literal():
		case start && bytes.HasPrefix(src[b.at:], []byte("func ")):
			b.at += len("func ")
			b.function()
		default:
			b.at++
		}
		start = false
	}
	return b.out
}

type blanker struct {
	src, out []byte
	at       int
	gone     func(b *blanker, head, body int) bool
}

// literal skips a comment, a string or a rune, if there is one.
func (b *blanker) literal() bool {
	rest := b.src[b.at:]
	switch {
	case rest[0] == '"' || rest[0] == '\'':
		n := 1
		for n < len(rest) && rest[n] != rest[0] && rest[n] != '\n' {
			if rest[n] == '\\' {
				n++
			}
			n++
		}
		b.skip(n + 1)
	case rest[0] == '`':
		b.past(rest[1:], "`", 1)
	case bytes.HasPrefix(rest, []byte("//")):
		n := bytes.IndexByte(rest, '\n')
		if n < 0 {
			n = len(rest)
		}
		b.skip(n)
	case bytes.HasPrefix(rest, []byte("/*")):
		b.past(rest[2:], "*/", 2)
	default:
		return false
	}
	return true
}

func (b *blanker) skip(n int) { b.at = min(b.at+n, len(b.src)) }

// past skips what is before the end of a literal, and the end.
func (b *blanker) past(rest []byte, end string, before int) {
	n := bytes.Index(rest, []byte(end))
	if n < 0 {
		n = len(rest)
	}
	b.skip(before + n + len(end))
}

// function goes to the end of a function declaration, from its name or receiver
// on. The first brace outside parentheses opens the body, unless it belongs to a
// struct or an interface in the result.
func (b *blanker) function() {
	head := b.at
	depth, braces := 0, false // braces: the next brace is that of a type
	for b.at < len(b.src) {
		if b.literal() {
			continue
		}
		switch c := b.src[b.at]; {
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case (c == '\n' || c == ';') && depth == 0:
			return // there is no body
		case c == '{' && depth == 0 && !braces:
			b.body(head)
			return
		case c == '{':
			depth++
		case letter(c):
			word := b.at
			for b.at < len(b.src) && letter(b.src[b.at]) {
				b.at++
			}
			w := string(b.src[word:b.at])
			braces = w == "struct" || w == "interface"
			continue
		case c == ' ' || c == '\t':
			b.at++
			continue
		}
		braces = false
		b.at++
	}
}

// letter reports whether a byte is part of an identifier, or of a number.
func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

// body blanks what is between the braces of a body. These stay: some functions
// must have one.
func (b *blanker) body(head int) {
	from, depth := b.at+1, 0
	for b.at < len(b.src) {
		if b.literal() {
			continue
		}
		switch b.src[b.at] {
		case '{':
			depth++
		case '}':
			depth--
		}
		b.at++
		if depth == 0 {
			break
		}
	}
	if depth > 0 {
		return // broken: let the parser say so
	}
	if !b.gone(b, head, from-1) {
		return
	}
	for i := from; i < b.at-1; i++ {
		if b.out[i] != '\n' {
			b.out[i] = ' '
		}
	}
}
