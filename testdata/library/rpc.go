package library

import (
	"net"
	"net/http"
	"net/rpc"
	"sync"
)

// Each call of a method of a registered service has a goroutine of its own.

type arith struct {
	mu    sync.Mutex
	calls int
	total int
	open  bool
	limit int
	late  int
}

type operands struct{ a, b int }

func (t *arith) Add(in *operands, out *int) error {
	in.a++ // norace
	*out = in.a + in.b
	println(t.limit, // assumed t.limit
		t.late) // race! t.late
	t.calls++ // race! t.calls
	t.mu.Lock()
	defer t.mu.Unlock()
	t.total += *out // norace
	return nil
}

// Close takes no request: nobody calls it from outside.
func (t *arith) Close() error {
	t.open = false // norace
	return nil
}

func RP1_registered() {
	t := &arith{open: true}
	rpc.Register(t)
	t.limit = 1 // assumed t.limit
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		return
	}
	go func() {
		t.Close()
	}()
	go rpc.Accept(l)
	t.late = 1 // race! t.late
	select {}
}

type clock struct{ asked, started int }

func (c *clock) Ask(zone string, out *int) error {
	c.asked++          // race! c.asked
	println(c.started) // race! c.started
	return nil
}

// What another server serves meanwhile is not the service.
func RP2_otherServer() {
	c := &clock{}
	srv := rpc.NewServer()
	srv.RegisterName("clock", c)
	go http.ListenAndServe(":80", nil)
	c.started = 1 // race! c.started
}

type quietClock struct {
	mu    sync.Mutex
	asked int
}

func (c *quietClock) Ask(zone string, out *int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked++ // norace
	return nil
}

// The service locks.
func RP3_locks() {
	srv := rpc.NewServer()
	srv.Register(&quietClock{})
	if l, err := net.Listen("tcp", ":0"); err == nil {
		srv.Accept(l)
	}
}
