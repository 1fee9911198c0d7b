package order

import (
	"os"
	"os/signal"
	"sync"
	"time"
)

// The runtime sends on a channel that signals are relayed to: what comes after the
// receive happens.
func SG1_flag() {
	stopped := false
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, os.Interrupt)
	go func() {
		<-ch
		stopped = true // race! stopped
	}()
	for !stopped { // race! stopped
		time.Sleep(time.Millisecond)
	}
}

// What comes before the channel is registered is over when a signal comes.
func SG2_before() {
	name := ""
	ch := make(chan os.Signal, 1)
	go func() {
		<-ch
		println(name) // norace
	}()
	name = "x" // norace
	signal.Notify(ch, os.Interrupt)
}

// Signals come more than once.
func SG3_again() {
	c := &reloads{}
	ch := make(chan os.Signal, 1)
	signal.Notify(ch)
	go func() {
		<-ch
		<-ch
		c.n++ // race! c.n
	}()
	c.n++ // race! c.n
}

type reloads struct {
	mu sync.Mutex
	n  int
}

// The handler and the program have a lock.
func SG4_locked() {
	c := &reloads{}
	ch := make(chan os.Signal, 1)
	signal.Notify(ch)
	go func() {
		for range ch {
			c.mu.Lock()
			c.n++ // norace
			c.mu.Unlock()
		}
	}()
	c.mu.Lock()
	c.n++ // norace
	c.mu.Unlock()
}

// Nobody sends on a channel that is not registered.
func SG5_unregistered() {
	n := 0
	ch := make(chan os.Signal, 1)
	go func() {
		<-ch
		n++ // norace
	}()
	n++ // norace
}
