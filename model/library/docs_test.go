package library

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// A cited is a piece of the shipped model with the documentation it names.
type cited struct{ name, doc, at string }

func citations(m *Model) []cited {
	var out []cited
	l := m.layers[0]
	l.needAll()
	for _, k := range slices.Sorted(mapKeys(l.funcs)) {
		f := l.funcs[k]
		out = append(out, cited{f.Name, f.Doc, at(f.File, f.Line)})
	}
	for _, k := range slices.Sorted(mapKeys(l.types)) {
		t := l.types[k]
		out = append(out, cited{t.Name, t.Doc, at(t.File, t.Line)})
	}
	for _, k := range slices.Sorted(mapKeys(l.packages)) {
		p := l.packages[k]
		out = append(out, cited{p.Path, p.Doc, at(p.File, p.Line)})
	}
	return out
}

// Every shipped entry says what documentation it rests on.
func TestEveryEntryCites(t *testing.T) {
	all := citations(mustLoad(t))
	if len(all) < 500 {
		t.Fatalf("only %d entries", len(all))
	}
	for _, c := range all {
		if !strings.HasPrefix(c.doc, "https://") && !strings.HasPrefix(c.doc, "$GOROOT/src/") {
			t.Errorf("%s: %s cites %q, neither a page nor a source file", c.at, c.name, c.doc)
		}
	}
}

var (
	stdPage  = regexp.MustCompile(`https://pkg\.go\.dev/([a-z0-9/]+)`)
	rootFile = regexp.MustCompile(`\$GOROOT/src/([a-zA-Z0-9_/.]+)`)
	quoted   = regexp.MustCompile(`"([^"]+)"`)
)

// plain is the text of a source file as documentation shows it.
func plain(src string) string {
	var words []string
	for line := range strings.Lines(src) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "//")
		words = append(words, strings.Fields(line)...)
	}
	return strings.NewReplacer("[", "", "]", "", "“", "", "”", "", `"`, "", "'", "", "*", "").Replace(strings.Join(words, " "))
}

// What an entry quotes stands in the installed Go: in the sources of a package
// that it links to.
func TestQuotations(t *testing.T) {
	texts := make(map[string]string)
	text := func(dir string) string {
		if s, ok := texts[dir]; ok {
			return s
		}
		var b strings.Builder
		files, _ := filepath.Glob(filepath.Join(runtime.GOROOT(), "src", dir, "*.go"))
		for _, f := range files {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString(plain(string(src)) + " ")
		}
		texts[dir] = b.String()
		return texts[dir]
	}
	quotes := 0
	for _, c := range citations(mustLoad(t)) {
		var sources string
		for _, m := range stdPage.FindAllStringSubmatch(c.doc, -1) {
			sources += text(strings.TrimSuffix(m[1], "/"))
		}
		for _, m := range rootFile.FindAllStringSubmatch(c.doc, -1) {
			dir := strings.TrimRight(m[1], ".")
			if strings.HasSuffix(dir, ".go") {
				if _, err := os.Stat(filepath.Join(runtime.GOROOT(), "src", dir)); err != nil {
					t.Errorf("%s: %v", c.at, err)
				}
				dir = filepath.Dir(dir)
			}
			sources += text(dir)
		}
		if sources == "" {
			if strings.HasPrefix(c.doc, "https://pkg.go.dev/") && !strings.Contains(c.doc, ".org/") && !strings.Contains(c.doc, ".com/") && !strings.Contains(c.doc, ".io/") && !strings.Contains(c.doc, ".in/") {
				t.Errorf("%s: %s cites %s, of which there is no source", c.at, c.name, c.doc)
			}
			continue
		}
		for _, m := range quoted.FindAllStringSubmatch(c.doc, -1) {
			for part := range strings.SplitSeq(m[1], " ... ") {
				part = strings.TrimSuffix(plain(part), ".")
				quotes++
				if !strings.Contains(sources, part) {
					t.Errorf("%s: %s quotes %q, which is not in its source", c.at, c.name, part)
				}
			}
		}
	}
	if quotes < 100 {
		t.Errorf("only %d quotations", quotes)
	}
}
