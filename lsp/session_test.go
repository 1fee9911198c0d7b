package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// A session is a client with a server at the other end of a pipe.
type session struct {
	t      *testing.T
	server *server
	conn   *jsonrpc2.Conn
	done   chan error // what the server ends with

	mu     sync.Mutex
	logged []string
	steps  chan string // the kinds of progress
	news   chan publishParams
	quiet  chan string // log messages, to wait for
	asked  chan []registration
}

// patience is for machines that are busy with other things.
const patience = 4 * time.Minute

func newSession(t *testing.T) *session {
	c := &session{t: t, server: newServer(Options{}), done: make(chan error, 1),
		news: make(chan publishParams, 100), quiet: make(chan string, 100), steps: make(chan string, 1000), asked: make(chan []registration, 10)}
	c.server.delay = time.Millisecond
	near, far := net.Pipe()
	go func() { c.done <- c.server.serve(far) }()
	c.conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(near, jsonrpc2.VSCodeObjectCodec{}),
		jsonrpc2.HandlerWithError(c.handle).SuppressErrClosed(), jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	t.Cleanup(func() { c.conn.Close() })
	return c
}

func (c *session) handle(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch req.Method {
	case "textDocument/publishDiagnostics":
		var p publishParams
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			c.t.Error(err)
		}
		c.news <- p
	case "window/logMessage":
		var p logParams
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			c.t.Error(err)
		}
		c.logged = append(c.logged, p.Message)
		c.quiet <- p.Message
	case "client/registerCapability":
		var p registrationParams
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			c.t.Error(err)
		}
		c.asked <- p.Registrations
	case "$/progress":
		var p progressParams
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			c.t.Error(err)
		}
		c.steps <- p.Value.Kind
	}
	return nil, nil
}

type object = map[string]any

// start opens a folder.
func (c *session) start(dir string, options any) {
	c.t.Helper()
	c.call("initialize", object{
		"rootUri":               uriOf(dir),
		"initializationOptions": options,
		"capabilities": object{
			"window":    object{"workDoneProgress": true},
			"workspace": object{"didChangeWatchedFiles": object{"dynamicRegistration": true}},
			"textDocument": object{
				"publishDiagnostics": object{"relatedInformation": true},
				"codeAction":         object{"codeActionLiteralSupport": object{}},
			},
		},
	}, nil)
	c.notify("initialized", object{})
}

func (c *session) call(method string, params, result any) {
	c.t.Helper()
	if err := c.try(method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

func (c *session) try(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return c.conn.Call(ctx, method, params, result)
}

func (c *session) notify(method string, params any) {
	c.t.Helper()
	if err := c.conn.Notify(context.Background(), method, params); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// document sends a notification about an open file.
func (c *session) document(what, path, text string) {
	c.t.Helper()
	doc := object{"uri": uriOf(path)}
	p := object{"textDocument": doc}
	switch what {
	case "didOpen":
		doc["text"] = text
	case "didChange":
		p["contentChanges"] = []object{{"text": text}}
	}
	c.notify("textDocument/"+what, p)
}

// save writes a file as an editor does.
func (c *session) save(path, text string) {
	c.t.Helper()
	c.document("didChange", path, text)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		c.t.Fatal(err)
	}
	c.document("didSave", path, "")
}

// published waits for diagnostics.
func (c *session) published() publishParams {
	c.t.Helper()
	select {
	case p := <-c.news:
		return p
	case <-time.After(patience):
		c.t.Fatal("no diagnostics")
		panic("unreachable")
	}
}

// says waits for a log message that ok accepts.
func (c *session) says(ok func(string) bool) {
	c.t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case text := <-c.quiet:
			if ok(text) {
				return
			}
		case <-deadline:
			c.t.Fatal("the log message does not come")
		}
	}
}

// ran waits for the progress of one whole run.
func (c *session) ran() {
	c.t.Helper()
	deadline := time.After(patience)
	for first := true; ; first = false {
		select {
		case kind := <-c.steps:
			if (kind == "begin") != first {
				c.t.Errorf("progress %s, first: %t", kind, first)
			}
			if kind == "end" {
				return
			}
		case <-deadline:
			c.t.Fatal("the progress does not end")
		}
	}
}

// end shuts the server down, and returns what it ends with.
func (c *session) end() error {
	c.t.Helper()
	c.call("shutdown", nil, nil)
	c.notify("exit", nil)
	return c.wait()
}

func (c *session) wait() error {
	c.t.Helper()
	select {
	case err := <-c.done:
		return err
	case <-time.After(patience):
		c.t.Fatal("the server does not end")
		panic("unreachable")
	}
}

func (c *session) actions(path string, r textRange, only ...string) []codeAction {
	c.t.Helper()
	var list []codeAction
	c.call("textDocument/codeAction", object{
		"textDocument": object{"uri": uriOf(path)},
		"range":        r,
		"context":      object{"diagnostics": []any{}, "only": only},
	}, &list)
	return list
}

// module writes a module of one file, and returns its directory and the file.
func module(t *testing.T, text string) (dir, path string) {
	t.Helper()
	// The go command names files without symbolic links.
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "m.go")
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n", "m.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir, path
}

// apply applies edits as a client does, counting in UTF-16.
func apply(t *testing.T, text string, edits []textEdit) string {
	t.Helper()
	offset := func(p position) int {
		line, at := 0, 0
		for i, r := range text + "\x00" {
			if line == p.Line && at == p.Character {
				return i
			}
			at++
			if r > 0xFFFF {
				at++
			}
			if r == '\n' {
				line, at = line+1, 0
			}
		}
		t.Fatal(fmt.Sprint("no such place: ", p))
		panic("unreachable")
	}
	for i := len(edits) - 1; i >= 0; i-- {
		e := edits[i]
		text = text[:offset(e.Range.Start)] + e.NewText + text[offset(e.Range.End):]
	}
	return text
}
