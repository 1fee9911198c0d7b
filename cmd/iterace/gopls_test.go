package main

import (
	"context"
	"encoding/json"
	"flag"
	"go/format"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

var buildGopls = flag.Bool("gopls", false, "build a gopls with the analyzer, which downloads it, and talk to it")

func TestGoplsArguments(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, "which file to write?"},
		{[]string{"-o", "x", "y"}, "takes no argument y"},
		{[]string{"-o", "x", "-n"}, "-n"},
		{[]string{"-o", "x", "-source", "."}, "go.mod"},
		{[]string{"-o", "x", "-source", "../../eval"}, "is the module github.com/iterace/iterace/eval"},
		{[]string{"-o", "x"}, "-source names the directory"}, // a test is no version
	} {
		var out, errs strings.Builder
		if code := runGopls(tt.args, &out, &errs); code != exitError || !strings.Contains(errs.String(), tt.want) {
			t.Errorf("gopls %v: exit code %d, %s", tt.args, code, errs.String())
		}
	}
}

// TestGopls builds a gopls, which compiles the analyzer with the x/tools that
// gopls needs, and has an editor's session with it: it sees our diagnostics, also
// of what lies packages below, asks for a fix and applies it.
func TestGopls(t *testing.T) {
	if !*buildGopls {
		t.Skip("needs the network; -gopls runs it")
	}
	tool := filepath.Join(t.TempDir(), "gopls")
	var out, errs strings.Builder
	if code := runGopls([]string{"-source", "../..", "-o", tool}, &out, &errs); code != exitNothing {
		t.Fatal(errs.String())
	}
	t.Log(out.String())

	dir := t.TempDir()
	files := map[string]string{
		"go.mod":       "module example.com/m\n\ngo 1.26\n",
		"m.go":         goplsProgram,
		"mid/mid.go":   "package mid\n\nimport \"example.com/m/deep\"\n\nfunc New() *deep.Counter { return new(deep.Counter) }\n\nfunc Inc(c *deep.Counter) { c.Inc() }\n",
		"deep/deep.go": "package deep\n\ntype Counter struct{ n int }\n\nfunc (c *Counter) Inc() { c.n++ }\n",
	}
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	e := startEditor(t, tool, dir)
	file := filepath.Join(dir, "m.go")
	doc := lspObject{"uri": "file://" + file, "languageId": "go", "version": 1, "text": goplsProgram}
	e.notify("textDocument/didOpen", lspObject{"textDocument": doc})
	list := e.wait(doc["uri"], "race on err: ", "race on c.n: ")
	i := slices.IndexFunc(list, func(d lspDiagnostic) bool { return strings.Contains(d.Message, "race on err: ") })
	if d := list[i]; d.Source != "iterace" || d.Range.Start.Line != 18 || len(d.Related) == 0 {
		t.Errorf("diagnostic %+v", d)
	}

	var actions []lspAction
	e.call("textDocument/codeAction", lspObject{
		"textDocument": doc, "range": list[i].Range,
		"context": lspObject{"diagnostics": []any{list[i]}, "only": []string{"quickfix"}},
	}, &actions)
	k := slices.IndexFunc(actions, func(a lspAction) bool { return a.Kind == "quickfix" && strings.Contains(a.Title, "err") })
	if k < 0 {
		t.Fatalf("actions %+v", actions)
	}
	a := actions[k]
	if a.Edit == nil {
		e.call("codeAction/resolve", a, &a)
	}
	text := a.apply(t, goplsProgram)
	if !strings.Contains(text, "_, err := os.Stat(n)") || strings.Contains(text, "var err error") {
		t.Errorf("fixed program:\n%s", text)
	}
	formatted, err := format.Source([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	e.notify("textDocument/didChange", lspObject{
		"textDocument":   lspObject{"uri": doc["uri"], "version": 2},
		"contentChanges": []any{lspObject{"text": string(formatted)}},
	})
	for _, d := range e.wait(doc["uri"], "race on c.n: ") {
		if strings.Contains(d.Message, "race on err") {
			t.Errorf("the fixed program has %s", d.Message)
		}
	}
}

const goplsProgram = `package m

import (
	"log"
	"os"
	"sync"

	"example.com/m/mid"
)

// Touch has a fix.
func Touch(names []string) {
	var err error
	var wg sync.WaitGroup
	for _, n := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			_, err = os.Stat(n)
			if err != nil {
				log.Print(err)
			}
		}()
	}
	wg.Wait()
}

// Count calls a method two packages down.
func Count() {
	c := mid.New()
	for range 3 {
		go mid.Inc(c)
	}
}
`

// An editor is a client of a language server.
type editor struct {
	t    *testing.T
	conn *jsonrpc2.Conn
	news chan lspPublished
}

type lspObject = map[string]any

type lspPublished struct {
	URI         string
	Version     int
	Diagnostics []lspDiagnostic
}

type lspDiagnostic struct {
	Range    lspRange        `json:"range"`
	Severity int             `json:"severity"`
	Code     any             `json:"code,omitempty"`
	Source   string          `json:"source"`
	Message  string          `json:"message"`
	Related  []any           `json:"relatedInformation,omitempty"`
	Data     json.RawMessage `json:"data,omitempty"`
}

type lspRange struct {
	Start lspPosition `json:"start"`
	End   lspPosition `json:"end"`
}

type lspPosition struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type lspAction struct {
	Title string          `json:"title"`
	Kind  string          `json:"kind"`
	Data  json.RawMessage `json:"data,omitempty"`
	Edit  *struct {
		DocumentChanges []struct {
			Edits []lspEdit `json:"edits"`
		} `json:"documentChanges"`
	} `json:"edit,omitempty"`
}

type lspEdit struct {
	Range   lspRange `json:"range"`
	NewText string   `json:"newText"`
}

// apply edits a text of ASCII.
func (a lspAction) apply(t *testing.T, text string) string {
	t.Helper()
	if a.Edit == nil || len(a.Edit.DocumentChanges) != 1 {
		t.Fatalf("action %+v", a)
	}
	offset := func(p lspPosition) int {
		at := 0
		for range p.Line {
			at += strings.IndexByte(text[at:], '\n') + 1
		}
		return at + p.Character
	}
	edits := a.Edit.DocumentChanges[0].Edits
	slices.SortFunc(edits, func(a, b lspEdit) int { return offset(b.Range.Start) - offset(a.Range.Start) })
	out := text
	for _, x := range edits {
		out = out[:offset(x.Range.Start)] + x.NewText + out[offset(x.Range.End):]
	}
	return out
}

// startEditor opens a folder. The server's caches are its own.
func startEditor(t *testing.T, tool, dir string) *editor {
	t.Helper()
	cmd := exec.Command(tool)
	cmd.Dir = dir
	cache := t.TempDir()
	cmd.Env = append(os.Environ(), goEnv(t)...)
	cmd.Env = append(cmd.Env, "GOPLSCACHE="+filepath.Join(cache, "gopls"), "XDG_CACHE_HOME="+cache)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	e := &editor{t: t, news: make(chan lspPublished, 1000)}
	e.conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(pipes{stdout, stdin}, jsonrpc2.VSCodeObjectCodec{}),
		jsonrpc2.HandlerWithError(e.handle).SuppressErrClosed())
	t.Cleanup(func() {
		e.call("shutdown", nil, nil)
		e.notify("exit", nil)
		cmd.Wait()
		t.Logf("gopls: %.1f s of user time", cmd.ProcessState.UserTime().Seconds())
	})
	e.call("initialize", lspObject{
		"rootUri": "file://" + dir,
		"capabilities": lspObject{
			"workspace": lspObject{"configuration": true, "workspaceEdit": lspObject{"documentChanges": true}},
			"textDocument": lspObject{
				"publishDiagnostics": lspObject{"relatedInformation": true, "dataSupport": true},
				"codeAction": lspObject{
					"codeActionLiteralSupport": lspObject{"codeActionKind": lspObject{"valueSet": []string{"quickfix"}}},
					"dataSupport":              true,
				},
			},
		},
	}, nil)
	e.notify("initialized", lspObject{})
	return e
}

type pipes struct {
	io.Reader
	io.WriteCloser
}

// handle keeps diagnostics, and answers what gopls asks with as little as will
// do.
func (e *editor) handle(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
	switch req.Method {
	case "textDocument/publishDiagnostics":
		var p lspPublished
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			e.t.Error(err)
		}
		e.news <- p
	case "workspace/configuration":
		var p struct{ Items []any }
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			e.t.Error(err)
		}
		return make([]any, len(p.Items)), nil
	}
	return nil, nil
}

// goplsPatience is for machines that are busy with other things.
const goplsPatience = 5 * time.Minute

func (e *editor) call(method string, params, result any) {
	e.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), goplsPatience)
	defer cancel()
	if err := e.conn.Call(ctx, method, params, result); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

func (e *editor) notify(method string, params any) {
	e.t.Helper()
	if err := e.conn.Notify(context.Background(), method, params); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

// wait waits for the diagnostics of a file that have all the texts.
func (e *editor) wait(uri any, texts ...string) []lspDiagnostic {
	e.t.Helper()
	deadline := time.After(goplsPatience)
	for {
		select {
		case p := <-e.news:
			if p.URI == uri && !slices.ContainsFunc(texts, func(text string) bool {
				return !slices.ContainsFunc(p.Diagnostics, func(d lspDiagnostic) bool { return strings.Contains(d.Message, text) })
			}) {
				return p.Diagnostics
			}
		case <-deadline:
			e.t.Fatalf("no diagnostics with %q", texts)
		}
	}
}
