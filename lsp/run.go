package lsp

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/iterace/iterace/analyzer"
)

// request asks for a run over what is on disk now.
func (s *server) request() {
	s.mu.Lock()
	s.wanted++
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default: // the worker has not seen the last one yet, and serves both
	}
}

// work analyses when asked to, until the connection ends.
func (s *server) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wake:
		}
		if !s.quiet(ctx) {
			return
		}
		s.check(ctx)
		// The next run may be hours away, and this one has left garbage only:
		// 23 MB against 257 MB resident, testdata/nbody (2026-11-22).
		debug.FreeOSMemory()
	}
}

// quiet waits until nothing has been saved for a moment; it returns false if
// the connection has ended.
func (s *server) quiet(ctx context.Context) bool {
	timer := time.NewTimer(s.delay)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-s.wake:
			timer.Reset(s.delay)
		case <-timer.C:
			return true
		}
	}
}

// check analyses the folders once and publishes what it finds. A run cannot be
// stopped; if it is asked for another one meanwhile, what this one found is
// about code that is gone, and dropped.
func (s *server) check(ctx context.Context) {
	s.mu.Lock()
	serving := s.wanted
	s.mu.Unlock()
	if len(s.folders) == 0 {
		s.log(ctx, logWarning, "no folder is open: there is nothing to analyse")
		return
	}
	found := newFindings(time.Now())
	p := s.beginProgress(ctx)
	complete := true
	for _, folder := range s.folders {
		if ok := s.analyse(ctx, found, folder, p.update); !ok {
			complete = false
		}
	}
	if !s.publish(ctx, found, serving, complete) {
		p.end("out of date")
		return
	}
	s.log(ctx, logInfo, fmt.Sprintf("race sets: %d, after %.1f s", found.races, time.Since(found.start).Seconds()))
	p.end(fmt.Sprintf("race sets: %d", found.races))
}

// analyse adds what is found in a folder. It returns false if part of the code
// was not analysed; the client's log says which.
func (s *server) analyse(ctx context.Context, found *findings, folder string, progress func(string, int, int)) bool {
	cfg := &analyzer.Config{
		Dir:      folder,
		Patterns: s.settings.Patterns,
		Tests:    s.settings.Tests,
		Sure:     !s.settings.All,
		Fixes:    true,

		ModelFiles: s.opt.ModelFiles,
		Cache:      s.opt.Cache,
		Progress:   progress,
	}
	if len(cfg.Patterns) == 0 {
		cfg.Patterns = []string{"./..."}
	}
	if s.settings.Tags != "" {
		cfg.BuildFlags = []string{"-tags=" + s.settings.Tags}
	}
	res, err := s.run(cfg)
	if err != nil {
		s.log(ctx, logError, fmt.Sprintf("%s: %v", folder, err))
		return false
	}
	found.add(res, folder, s.settings.All)
	for i, e := range res.Errors {
		if i == maxErrors {
			s.log(ctx, logWarning, fmt.Sprintf("and %d more errors", len(res.Errors)-i))
			break
		}
		where := e.Package
		if e.Pos.IsValid() {
			where = e.Pos.String()
		}
		s.log(ctx, logWarning, fmt.Sprintf("not analysed: %s: %s", where, e.Message))
	}
	return len(res.Errors) == 0
}

// maxErrors of code that does not compile are logged. gopls shows them where
// they are, so they are no diagnostics of ours.
const maxErrors = 10

// publish makes the findings the current ones, unless there is a newer request
// than the one that they serve.
func (s *server) publish(ctx context.Context, found *findings, serving int, complete bool) bool {
	s.mu.Lock()
	if s.wanted != serving || s.state != working {
		s.mu.Unlock()
		return false
	}
	if !complete {
		found.keep(s.current)
	}
	list := found.publications(s.current, s.related)
	s.current = found
	s.mu.Unlock()
	// Not under the lock: a client may be slow to read.
	for _, p := range list {
		s.conn.Notify(ctx, "textDocument/publishDiagnostics", p)
	}
	return true
}

// log writes to the client's log. Where the connection has ended there is
// nobody to tell.
func (s *server) log(ctx context.Context, kind int, text string) {
	s.conn.Notify(ctx, "window/logMessage", logParams{kind, text})
}

// A progress tells the client how far a run has come; a nil one does not.
type progress struct {
	s     *server
	ctx   context.Context // of the session
	token string

	mu      sync.Mutex // the analysis calls update from many goroutines
	phase   string     // told last
	percent int        // of that
}

// progressPatience is how long a run waits for a client to permit progress.
const progressPatience = 2 * time.Second

func (s *server) beginProgress(ctx context.Context) *progress {
	if !s.progress {
		return nil
	}
	s.mu.Lock()
	p := &progress{s: s, ctx: ctx, token: fmt.Sprintf("iterace-%d", s.wanted)}
	s.mu.Unlock()
	wait, cancel := context.WithTimeout(ctx, progressPatience)
	defer cancel()
	if s.conn.Call(wait, "window/workDoneProgress/create", progressCreate{p.token}, nil) != nil {
		return nil
	}
	p.send(progressValue{Kind: "begin", Title: "iterace", Message: "loading", Percent: new(int)})
	return p
}

// update is analyzer.Config.Progress.
func (p *progress) update(phase string, done, total int) {
	if p == nil || total <= 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if phase != p.phase {
		p.phase, p.percent = phase, 0
	}
	if percent := 100 * done / total; percent > p.percent {
		p.percent = percent
		v := progressValue{Kind: "report", Message: fmt.Sprintf("%s %d/%d", phase, done, total)}
		if phase == "loops" { // others come before, and a percentage may only rise
			v.Percent = &percent
		}
		p.send(v)
	}
}

func (p *progress) end(text string) {
	if p != nil {
		p.send(progressValue{Kind: "end", Message: text})
	}
}

func (p *progress) send(v progressValue) {
	p.s.conn.Notify(p.ctx, "$/progress", progressParams{p.token, v})
}
