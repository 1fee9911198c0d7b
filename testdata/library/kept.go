package library

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"log"
	"log/slog"
	"os"
	"sync"
)

// What a library keeps, a writer or a handler, is used by who calls the library.

// A buffer is looked at while the goroutine logs.
func KP1_readBeside() {
	var buf bytes.Buffer
	lg := log.New(&buf, "", 0)
	go lg.Print("x")      // race! buf
	println(buf.String()) // race! buf
}

// A logger excludes itself, and what is read afterwards is written.
func KP1_oneLogger() {
	var buf bytes.Buffer
	var wg sync.WaitGroup
	lg := log.New(&buf, "", 0)
	for range n {
		wg.Go(func() { lg.Print("x") }) // norace
	}
	lg.Print("y") // norace
	wg.Wait()
	println(buf.String()) // norace
}

// It does not exclude another one.
func KP1_loggerForEach() {
	var buf bytes.Buffer
	var wg sync.WaitGroup
	for range n {
		lg := log.New(&buf, "", 0)
		wg.Go(func() { lg.Print("x") }) // race! buf
	}
	wg.Wait()
}

// Each has its own.
func KP1_bufferForEach() {
	var wg sync.WaitGroup
	for range n {
		var buf bytes.Buffer
		lg := log.New(&buf, "", 0)
		wg.Go(func() { lg.Print("x"); println(buf.String()) }) // norace
	}
	wg.Wait()
}

func KP2_standardLogger() {
	var buf bytes.Buffer
	log.SetOutput(&buf)
	defer log.SetOutput(os.Stderr)
	go log.Print("x")     // race! buf
	println(buf.String()) // race! buf
}

func KP2_replaced() {
	var buf bytes.Buffer
	lg := log.New(io.Discard, "", 0)
	lg.SetOutput(&buf)
	go lg.Print("x")      // race! buf
	println(buf.String()) // race! buf
}

// Files and io.Discard are safe.
func KP2_safe() {
	l1, l2, l3 := log.New(os.Stderr, "", 0), log.New(os.Stderr, "", 0), log.New(io.Discard, "", 0)
	for range n {
		go func() { l1.Print("x"); l2.Print("y"); l3.Print("z") }() // norace
	}
	l3.Print("x") // norace
}

func KP3_ownWriter() {
	w := new(countingWriter)
	lg := log.New(w, "", 0)
	go lg.Print("x")
	println(w.n) // race! w.n
}

type countingWriter struct{ n int }

func (w *countingWriter) Write(p []byte) (int, error) {
	w.n += len(p) // race! w.n
	return len(p), nil
}

func KP3_lockedWriter() {
	w := new(lockedWriter)
	l1, l2 := log.New(w, "", 0), slog.New(slog.NewJSONHandler(w, nil))
	go l1.Print("x")
	go l2.Info("x")
	w.mu.Lock()
	println(w.n) // norace
	w.mu.Unlock()
}

type lockedWriter struct {
	mu sync.Mutex
	n  int
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.n += len(p) // norace
	return len(p), nil
}

// A text handler has a lock, which its copies share.
func KP4_handler() {
	var buf bytes.Buffer
	var wg sync.WaitGroup
	l1 := slog.New(slog.NewTextHandler(&buf, nil))
	l2 := l1.With("k", "v")
	for range n {
		wg.Go(func() { l1.Info("x"); l2.Warn("y") }) // norace
	}
	wg.Wait()
	println(buf.String()) // norace
}

func KP4_handlersOfOne() {
	var buf bytes.Buffer
	var wg sync.WaitGroup
	for range n {
		lg := slog.New(slog.NewTextHandler(&buf, nil))
		wg.Go(func() { lg.Info("x") }) // race! buf
	}
	wg.Wait()
}

func KP4_readBeside() {
	var buf bytes.Buffer
	lg := slog.New(slog.NewTextHandler(&buf, nil)).With("k", "v")
	go lg.Info("x")       // race! buf
	println(buf.String()) // race! buf
}

func KP5_ownHandler() {
	lg := slog.New(&countingHandler{Handler: slog.DiscardHandler})
	for range n {
		go lg.Info("x")
	}
}

type countingHandler struct {
	slog.Handler
	n int
}

func (h *countingHandler) Handle(context.Context, slog.Record) error {
	h.n++ // race! h.n
	return nil
}

func KP6_encoder() {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	go enc.Encode(1)      // race! buf
	println(buf.String()) // race! buf
}

func KP6_encoderForEach() {
	var buf bytes.Buffer
	var mu sync.Mutex
	for range n {
		go func() {
			mu.Lock()
			defer mu.Unlock()
			json.NewEncoder(&buf).Encode(1) // norace
		}()
	}
}

// Compressors write into what they were made with.
func KP7_compressed() {
	var buf bytes.Buffer
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			w := gzip.NewWriter(&buf)
			w.Write([]byte("x")) // race! buf
			w.Close()            // race! buf
		})
	}
	wg.Wait()
}

func KP7_eachCompressed() {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			var buf bytes.Buffer
			w := gzip.NewWriter(&buf)
			w.Write([]byte("x")) // norace
			w.Close()            // norace
		})
	}
	wg.Wait()
}
