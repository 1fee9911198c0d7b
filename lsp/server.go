// Package lsp is a language server that shows the races of the whole program.
//
// It runs beside gopls and does one thing: when a file is saved, the program is
// analysed as the command would, and the race sets are published as
// diagnostics, with quick fixes where there are safe ones. It analyses what is
// on disk, not what is being typed: a run takes seconds, and code between two
// keystrokes seldom compiles.
//
// Messages are handled one after the other, in order. Beside them one goroutine
// analyses (run.go); the state they share is guarded by server.mu.
package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/iterace/iterace/analyzer"
	"github.com/sourcegraph/jsonrpc2"
)

// Options say what the server does not learn from the client.
type Options struct {
	Version    string
	ModelFiles []string  // library models, after the shipped and the module's own
	Log        io.Writer // problems with the connection
	Cache      string    // see analyzer.Config
}

// settings are the client's initializationOptions.
type settings struct {
	Tests    bool     `json:"tests"`
	Tags     string   `json:"tags"`
	All      bool     `json:"all"`
	Patterns []string `json:"patterns"`
}

// Serve speaks with a client until it says exit. Any other end is an error, as
// is exit without shutdown. A run that is under way is abandoned.
func Serve(conn io.ReadWriteCloser, opt Options) error {
	return newServer(opt).serve(conn)
}

type server struct {
	opt   Options
	delay time.Duration // how long to wait for more saves
	run   func(*analyzer.Config) (*analyzer.Result, error)
	conn  *jsonrpc2.Conn
	wake  chan struct{} // holds one token if there is something to analyse

	// What follows is the message handler's until the worker starts, and does
	// not change then.
	state    state
	settings settings
	folders  []string
	progress bool // the client shows progress
	related  bool // the client shows related information
	literals bool // the client takes edits
	watches  bool // the client tells of files that are not open

	mu      sync.Mutex
	wanted  int               // number of requests for a run
	docs    map[string]string // texts of open files
	current *findings         // what is published
}

// A state is how far a session has come.
type state int

const (
	fresh state = iota
	initialized
	working // the worker runs
	shutDown
	exited
)

// saveDelay lets "save all" cause one run.
const saveDelay = 300 * time.Millisecond

func newServer(opt Options) *server {
	return &server{
		opt: opt, delay: saveDelay, run: analyzer.Run, wake: make(chan struct{}, 1),
		docs: make(map[string]string), current: newFindings(time.Time{}),
	}
}

func (s *server) serve(conn io.ReadWriteCloser) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w := s.opt.Log
	if w == nil {
		w = io.Discard
	}
	ready := make(chan struct{})
	s.conn = jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(conn, jsonrpc2.VSCodeObjectCodec{}),
		jsonrpc2.HandlerWithError(func(ctx context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) (any, error) {
			<-ready
			return s.handle(ctx, req)
		}).SuppressErrClosed(), jsonrpc2.SetLogger(log.New(w, "iterace: ", 0)))
	close(ready)
	<-s.conn.DisconnectNotify()
	s.mu.Lock()
	defer s.mu.Unlock()
	switch s.state {
	case exited:
		return nil
	case shutDown:
		return errors.New("the client left without exit")
	default:
		return errors.New("the client left without shutdown")
	}
}

// handle answers a message. The result and error of a notification are not
// sent.
func (s *server) handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	s.mu.Lock()
	state := s.state
	s.mu.Unlock()
	switch {
	case req.Method == "exit":
		if state == shutDown {
			s.enter(exited)
		}
		s.conn.Close()
		return nil, nil
	case req.Method == "initialize":
		if state != fresh {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "initialized already"}
		}
		return s.initialize(req)
	case state == fresh && req.Notif:
		return nil, nil // as the protocol asks
	case state == fresh:
		const notInitialized = -32002
		return nil, &jsonrpc2.Error{Code: notInitialized, Message: "not initialized yet"}
	case state >= shutDown:
		if req.Notif {
			return nil, nil
		}
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "shut down already"}
	}
	switch req.Method {
	case "initialized":
		if state == initialized {
			s.enter(working)
			if s.watches {
				s.watch(ctx)
			}
			go s.work(ctx)
			s.request()
		}
		return nil, nil
	case "shutdown":
		s.enter(shutDown)
		return nil, nil
	case "textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "textDocument/didSave":
		return nil, s.document(req)
	case watchedFiles:
		return nil, s.changed(req)
	case "textDocument/codeAction":
		return s.codeAction(req)
	}
	if req.Notif {
		return nil, nil // a setting, a cancellation, or what the client may send unasked
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "no method " + req.Method}
}

func (s *server) enter(next state) {
	s.mu.Lock()
	s.state = next
	s.mu.Unlock()
}

// params decodes the parameters of a message.
func params(req *jsonrpc2.Request, into any) error {
	if req.Params == nil {
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: req.Method + ": no parameters"}
	}
	if err := json.Unmarshal(*req.Params, into); err != nil {
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: fmt.Sprintf("%s: %v", req.Method, err)}
	}
	return nil
}

func (s *server) initialize(req *jsonrpc2.Request) (any, error) {
	var p initializeParams
	if err := params(req, &p); err != nil {
		return nil, err
	}
	var set settings
	if len(p.Options) > 0 {
		d := json.NewDecoder(bytes.NewReader(p.Options))
		d.DisallowUnknownFields() // a misspelt option would do nothing, silently
		if err := d.Decode(&set); err != nil {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: fmt.Sprintf("initializationOptions: %v", err)}
		}
	}
	var folders []string
	for _, f := range p.WorkspaceFolders {
		folders = append(folders, f.URI)
	}
	if len(folders) == 0 && p.RootURI != "" {
		folders = []string{p.RootURI}
	}
	for i, uri := range folders {
		path, err := pathOf(uri)
		if err != nil {
			return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
		}
		folders[i] = path
	}
	s.settings, s.folders = set, folders
	s.progress = p.Capabilities.Window.WorkDoneProgress
	s.mu.Lock() // as for all that a run reads
	s.related = p.Capabilities.TextDocument.PublishDiagnostics.RelatedInformation
	s.mu.Unlock()
	s.literals = p.Capabilities.TextDocument.CodeAction.LiteralSupport != nil
	s.watches = p.Capabilities.Workspace.Watched.Dynamic
	s.enter(initialized)
	result := initializeResult{
		Capabilities: serverCapabilities{TextDocumentSync: textDocumentSync{OpenClose: true, Change: syncFull, Save: true}},
		ServerInfo:   serverInfo{"iterace", s.opt.Version},
	}
	if s.literals {
		result.Capabilities.CodeActionProvider = &codeActionOptions{Kinds: []string{quickFix}}
	}
	return result, nil
}

// document keeps the texts of open files, to know which of them are not what
// was analysed, and asks for a run when one is saved.
func (s *server) document(req *jsonrpc2.Request) error {
	var p documentParams
	if err := params(req, &p); err != nil {
		return err
	}
	path, err := pathOf(p.TextDocument.URI)
	if err != nil {
		return nil // an unsaved buffer, or what another scheme names: not for us
	}
	s.mu.Lock()
	switch req.Method {
	case "textDocument/didOpen":
		s.docs[path] = p.TextDocument.Text
	case "textDocument/didChange":
		if n := len(p.Changes); n > 0 {
			s.docs[path] = p.Changes[n-1].Text
		}
	case "textDocument/didClose":
		delete(s.docs, path)
	}
	s.mu.Unlock()
	if req.Method == "textDocument/didSave" && matters(path) {
		s.request()
	}
	return nil
}

// matters reports whether what is reported can depend on a file.
func matters(path string) bool {
	return filepath.Ext(path) == ".go" || slices.Contains(configs, filepath.Base(path))
}

// configs are files on which what is reported depends, too. They are seldom
// among those that editors say are open.
var configs = []string{"go.mod", "go.work", ".iterace.toml"}

const watchedFiles = "workspace/didChangeWatchedFiles"

// watch asks the client to tell when a file of configs changes. The answer does
// not matter.
func (s *server) watch(ctx context.Context) {
	s.conn.DispatchCall(ctx, "client/registerCapability", registrationParams{[]registration{{
		ID: "configs", Method: watchedFiles,
		Options: watchOptions{[]fileWatcher{{"**/{" + strings.Join(configs, ",") + "}"}}},
	}}})
}

// changed asks for a run when a file that is watched has changed.
func (s *server) changed(req *jsonrpc2.Request) error {
	var p watchedParams
	if err := params(req, &p); err != nil {
		return err
	}
	if slices.ContainsFunc(p.Changes, func(f textDocument) bool {
		path, err := pathOf(f.URI)
		return err == nil && slices.Contains(configs, filepath.Base(path))
	}) {
		s.request()
	}
	return nil
}

func (s *server) codeAction(req *jsonrpc2.Request) (any, error) {
	var p codeActionParams
	if err := params(req, &p); err != nil {
		return nil, err
	}
	path, err := pathOf(p.TextDocument.URI)
	wanted := len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(kind string) bool {
		return kind == "" || kind == quickFix || strings.HasPrefix(quickFix, kind+".")
	})
	if err != nil || !s.literals || !wanted {
		return []codeAction{}, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current.actions(path, p.Range, s.text), nil
}

// text returns the present text of a file; the caller holds s.mu.
func (s *server) text(path string) (string, bool) {
	if text, ok := s.docs[path]; ok {
		return text, true
	}
	data, err := os.ReadFile(path)
	return string(data), err == nil
}
