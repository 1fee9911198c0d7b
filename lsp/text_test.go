package lsp

import (
	"runtime"
	"testing"
)

func TestPositions(t *testing.T) {
	// é is two bytes and one unit, 😀 four bytes and two units.
	f := newSourceFile("a é 😀 .x1\r\n\nlast")
	for _, tt := range []struct {
		line, col int
		want      textRange
	}{
		{1, 1, textRange{position{0, 0}, position{0, 1}}},
		{1, 3, textRange{position{0, 2}, position{0, 3}}},
		{1, 6, textRange{position{0, 4}, position{0, 6}}},
		{1, 11, textRange{position{0, 7}, position{0, 10}}},
		{3, 1, textRange{position{2, 0}, position{2, 4}}},

		// Nothing to underline, or no such place.
		{2, 1, textRange{position{1, 0}, position{1, 0}}},
		{2, 9, textRange{position{1, 0}, position{1, 0}}},
		{3, 9, textRange{position{2, 4}, position{2, 4}}},
		{9, 1, textRange{position{2, 0}, position{2, 4}}},
		{0, 0, textRange{position{0, 0}, position{0, 1}}},
	} {
		if got := f.word(f.offset(tt.line, tt.col)); got != tt.want {
			t.Errorf("%d:%d: %v, want %v", tt.line, tt.col, got, tt.want)
		}
	}
	if got := newSourceFile("").word(newSourceFile("").offset(3, 4)); got != (textRange{}) {
		t.Errorf("empty file: %v", got)
	}
}

func TestURIs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("names of another form")
	}
	for uri, want := range map[string]string{
		"file:///a/b%20c/d%C3%A9.go": "/a/b c/dé.go",
		"file:///a/%25/":             "/a/%",
		"file://localhost/a":         "/a",
	} {
		got, err := pathOf(uri)
		if err != nil || got != want {
			t.Errorf("%s: %q, %v", uri, got, err)
		}
		if back, err := pathOf(uriOf(got)); err != nil || back != want {
			t.Errorf("%s and back: %q, %v", want, back, err)
		}
	}
	for _, uri := range []string{"untitled:1", "file://server/a", "file:", "%", "/a"} {
		if got, err := pathOf(uri); err == nil {
			t.Errorf("%s is %s", uri, got)
		}
	}
}
