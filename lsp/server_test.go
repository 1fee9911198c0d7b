package lsp

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/iterace/iterace/analyzer"
	"github.com/sourcegraph/jsonrpc2"
)

// 😀 is two code units, four bytes: what is right of it is where it should be
// only if columns are converted.
const racy = `package m

import (
	"os"
	"sync"
)

func Touch(names []string) {
	var err error
	var wg sync.WaitGroup
	for _, n := range names {
		wg.Go(func() {
			/* 😀 */ _, err = os.Stat(n)
			if err != nil {
				println(n)
			}
		})
	}
	wg.Wait()
}
`

// TestSession: a race is shown, mended by its quick fix, and gone.
func TestSession(t *testing.T) {
	dir, path := module(t, racy)
	c := newSession(t)
	c.start(dir, nil)
	c.document("didOpen", path, racy)

	p := c.published()
	if p.URI != uriOf(path) || len(p.Diagnostics) != 1 {
		t.Fatalf("published %+v", p)
	}
	d := p.Diagnostics[0]
	line, col := 12, 3+len("/* xx */ _, ") // from 0
	if want := (textRange{position{line, col}, position{line, col + 3}}); d.Range != want {
		t.Errorf("range %v, want %v", d.Range, want)
	}
	if d.Severity != severityWarning || d.Source != "iterace" || len(d.Code) != 16 || !strings.HasPrefix(d.Message, "race on err: ") {
		t.Errorf("diagnostic %+v", d)
	}
	// The other access, the loop, the variable.
	for _, want := range []int{13, 10, 8} {
		if !slices.ContainsFunc(d.Related, func(r relatedInfo) bool {
			return r.Location.URI == uriOf(path) && r.Location.Range.Start.Line == want
		}) {
			t.Errorf("nothing related in line %d: %+v", want, d.Related)
		}
	}

	if got := c.actions(path, textRange{}); len(got) != 0 {
		t.Errorf("fixes for another place: %+v", got)
	}
	if got := c.actions(path, d.Range, "refactor"); len(got) != 0 {
		t.Errorf("fixes where refactorings are asked for: %+v", got)
	}
	c.document("didChange", path, racy+"\n")
	if got := c.actions(path, d.Range); len(got) != 0 {
		t.Errorf("fixes for changed text: %+v", got)
	}
	c.document("didChange", path, racy)
	list := c.actions(path, d.Range, quickFix)
	if len(list) == 0 {
		t.Fatal("no fixes")
	}
	if a := list[0]; a.Kind != quickFix || !a.Preferred || len(a.Diagnostics) != 1 || a.Diagnostics[0].Code != d.Code {
		t.Errorf("action %+v", a)
	}
	fixed := apply(t, racy, list[0].Edit.Changes[uriOf(path)])
	if want := strings.Replace(strings.Replace(racy, "\tvar err error\n", "", 1), "err = os", "err := os", 1); fixed != want {
		t.Errorf("fixed:\n%s\nwant:\n%s", fixed, want)
	}

	c.save(path, fixed)
	if p := c.published(); p.URI != uriOf(path) || p.Diagnostics == nil || len(p.Diagnostics) != 0 {
		t.Errorf("after the fix: %+v", p)
	}
	c.ran()
	c.ran()
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// TestBroken: while the code does not compile, what was found before stays.
func TestBroken(t *testing.T) {
	dir, path := module(t, racy)
	c := newSession(t)
	c.start(dir, object{"all": false})
	c.document("didOpen", path, racy)
	first := c.published()

	c.save(path, strings.Replace(racy, "os.Stat", "os.Stats", 1))
	c.says(func(text string) bool {
		return strings.Contains(text, "not analysed: m.go:13") && strings.Contains(text, "Stats")
	})
	if p := c.published(); len(p.Diagnostics) != 1 || p.Diagnostics[0].Code != first.Diagnostics[0].Code {
		t.Errorf("while broken: %+v", p)
	}
	if got := c.actions(path, first.Diagnostics[0].Range); len(got) != 0 {
		t.Errorf("fixes for text that was not analysed: %+v", got)
	}

	c.save(path, racy)
	if p := c.published(); len(p.Diagnostics) != 1 {
		t.Errorf("mended: %+v", p)
	}
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

// TestNewest: what a run finds is dropped if a file is saved meanwhile, and the
// runs do not overlap.
func TestNewest(t *testing.T) {
	c := newSession(t)
	var running, runs atomic.Int32
	entered, leave := make(chan bool), make(chan bool)
	c.server.run = func(*analyzer.Config) (*analyzer.Result, error) {
		if running.Add(1) > 1 {
			t.Error("two runs at a time")
		}
		runs.Add(1)
		entered <- true
		<-leave
		running.Add(-1)
		return &analyzer.Result{}, nil
	}
	dir := t.TempDir()
	c.start(dir, nil)
	<-entered
	for range 3 {
		c.document("didSave", dir+"/m.go", "")
	}
	c.document("didSave", dir+"/notes.txt", "") // does not count
	c.call("textDocument/codeAction", object{}, nil)
	leave <- true
	<-entered
	leave <- true
	c.says(func(text string) bool { return strings.HasPrefix(text, "race sets: 0") })
	if err := c.end(); err != nil {
		t.Error(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if runs.Load() != 2 || len(c.logged) != 1 {
		t.Errorf("%d runs, log %q", runs.Load(), c.logged)
	}
}

// TestWatched: a client that can is asked to tell when a model file changes, and
// does so.
func TestWatched(t *testing.T) {
	c := newSession(t)
	ran := make(chan bool)
	c.server.run = func(*analyzer.Config) (*analyzer.Result, error) {
		ran <- true
		return &analyzer.Result{}, nil
	}
	dir := t.TempDir()
	c.start(dir, nil)
	<-ran
	if got := <-c.asked; len(got) != 1 || got[0].Method != watchedFiles || got[0].Options.Watchers[0].Pattern != "**/{go.mod,go.work,.iterace.toml}" {
		t.Errorf("asked for %+v", got)
	}
	tell := func(name string) {
		c.notify(watchedFiles, object{"changes": []object{{"uri": uriOf(dir + "/" + name), "type": 2}}})
	}
	tell("a.go") // saved, if it is open
	tell(".iterace.toml")
	<-ran
	c.says(func(text string) bool { return strings.HasPrefix(text, "race sets: 0") })
	if err := c.end(); err != nil {
		t.Error(err)
	}
}

func TestOptions(t *testing.T) {
	c := newSession(t)
	var cfg *analyzer.Config
	c.server.run = func(x *analyzer.Config) (*analyzer.Result, error) {
		cfg = x
		return nil, errors.New("no such luck")
	}
	dir := t.TempDir()
	if err := c.try("initialize", object{"rootUri": nil, "initializationOptions": object{"test": true}}, nil); err == nil || !strings.Contains(err.Error(), `"test"`) {
		t.Errorf("misspelt option: %v", err)
	}
	c.start(dir, object{"tests": true, "tags": "x,y", "all": true, "patterns": []string{"./a"}})
	c.says(func(text string) bool { return strings.HasSuffix(text, "no such luck") })
	if got, want := fmt.Sprintln(cfg.Dir, cfg.Tests, cfg.BuildFlags, cfg.Sure, cfg.Patterns), fmt.Sprintln(dir, true, "[-tags=x,y]", false, "[./a]"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNoFolder(t *testing.T) {
	c := newSession(t)
	c.call("initialize", object{"rootUri": nil}, nil)
	c.notify("initialized", object{})
	c.says(func(text string) bool { return strings.HasPrefix(text, "no folder is open") })
}

// TestLifecycle: what is answered when, and how the server ends.
func TestLifecycle(t *testing.T) {
	code := func(err error) int64 {
		if e := (*jsonrpc2.Error)(nil); errors.As(err, &e) {
			return e.Code
		}
		t.Errorf("got %v", err)
		return 0
	}
	c := newSession(t)
	if got := code(c.try("shutdown", nil, nil)); got != -32002 {
		t.Errorf("before initialize: %d", got)
	}
	if got := code(c.try("initialize", object{"rootUri": "http://example.com"}, nil)); got != jsonrpc2.CodeInvalidParams {
		t.Errorf("no file: %d", got)
	}
	c.call("initialize", object{}, nil)
	if got := code(c.try("initialize", object{}, nil)); got != jsonrpc2.CodeInvalidRequest {
		t.Errorf("second initialize: %d", got)
	}
	if got := code(c.try("textDocument/hover", object{}, nil)); got != jsonrpc2.CodeMethodNotFound {
		t.Errorf("unknown method: %d", got)
	}
	if got := code(c.try("textDocument/codeAction", []int{1}, nil)); got != jsonrpc2.CodeInvalidParams {
		t.Errorf("wrong parameters: %d", got)
	}
	c.notify("workspace/didChangeConfiguration", object{})
	c.notify("textDocument/didOpen", object{"textDocument": object{"uri": "untitled:1"}})
	c.call("shutdown", nil, nil)
	if got := code(c.try("textDocument/codeAction", object{}, nil)); got != jsonrpc2.CodeInvalidRequest {
		t.Errorf("after shutdown: %d", got)
	}
	c.notify("exit", nil)
	if err := c.wait(); err != nil {
		t.Errorf("orderly end: %v", err)
	}

	c = newSession(t)
	c.notify("exit", nil)
	if err := c.wait(); err == nil {
		t.Error("exit without shutdown is no error")
	}
	c = newSession(t)
	c.conn.Close()
	if err := c.wait(); err == nil {
		t.Error("a client that is gone is no error")
	}
}

// TestMalformed: what is no message ends the session, at once.
func TestMalformed(t *testing.T) {
	for _, text := range []string{
		"hello\r\n\r\n",
		"Content-Length: 0\r\n\r\n",
		"Content-Length: many\r\n\r\n{}",
		"Content-Length: 8\r\n\r\n{\"id\" 1}",
		"Content-Length: 2\r\n\r\n{}",
		"Content-Length: 2\n\n{}\r\n",
	} {
		near, far := net.Pipe()
		var said strings.Builder
		done := make(chan error, 1)
		go func() { done <- newServer(Options{Log: &said}).serve(far) }()
		go io.Copy(io.Discard, near)
		near.SetDeadline(time.Now().Add(patience))
		io.WriteString(near, text) // the server may not want all of it
		select {
		case err := <-done:
			if err == nil {
				t.Errorf("%q is accepted", text)
			}
			if !strings.Contains(said.String(), "protocol error") {
				t.Errorf("%q: said %q", text, said.String())
			}
		case <-time.After(patience):
			t.Errorf("%q: the server hangs", text)
		}
		near.Close()
	}
}
