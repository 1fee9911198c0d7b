package order

import (
	"sync/atomic"
	"time"
)

// A loop that goes on until something was received looks at a variable of its own.

func SI1_received() int {
	n, done := 0, make(chan bool)
	go func() {
		n = 1 // norace
		done <- true
	}()
	ready := false
	for !ready {
		select {
		case ready = <-done:
		default:
			time.Sleep(time.Millisecond)
		}
	}
	return n // norace
}

func SI2_bothReceived() int {
	m, n := 0, 0
	left, right := make(chan bool), make(chan bool)
	go func() {
		m = 1 // norace
		left <- true
	}()
	go func() {
		n = 1 // norace
		right <- true
	}()
	leftReady, rightReady := false, false
	for !leftReady || !rightReady {
		select {
		case <-left:
			leftReady = true
		case rightReady = <-right:
		default:
		}
	}
	return m + n // norace
}

// One of them is enough.
func SI2b_eitherReceived() int {
	m, n := 0, 0
	left, right := make(chan bool, 1), make(chan bool, 1)
	go func() {
		m = 1 // race! m
		left <- true
	}()
	go func() {
		n = 1 // race! n
		right <- true
	}()
	ready := false
	for !ready {
		select {
		case <-left:
			ready = true
		case ready = <-right:
		default:
		}
	}
	return m + n // race! m n
}

// Nor need anything have been received.
func SI3_givenUp(limit int) int {
	n, done := 0, make(chan bool, 1)
	go func() {
		n = 1 // race! n
		done <- true
	}()
	ready := false
	for i := 0; !ready; i++ {
		select {
		case ready = <-done:
		default:
			ready = i > limit
		}
	}
	return n // race! n
}

// It was received before in the round before.
func SI4_eachRound(rounds int) {
	done := make(chan bool, rounds)
	ready := false
	var n int
	for range rounds {
		go func() {
			n++ // race! n
			done <- true
		}()
		for !ready {
			select {
			case ready = <-done:
			default:
			}
		}
	}
}

// What others send says nothing of it.
func SI5_otherSender() int {
	n, done := 0, make(chan bool, 2)
	go func() {
		n = 1 // race! n
		done <- true
	}()
	go func() { done <- true }()
	ready := false
	for !ready {
		select {
		case ready = <-done:
		default:
		}
	}
	return n // race! n
}

// Who does not find it true has received nothing.
func SI6_otherWay(busy *atomic.Bool) int {
	n, done := 0, make(chan bool, 1)
	go func() {
		n = 1 // race! n
		done <- true
	}()
	ready := false
	for busy.Load() {
		select {
		case ready = <-done:
		default:
		}
	}
	if !ready {
		return n // race! n
	}
	return n // norace
}
