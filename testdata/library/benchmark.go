package library

import "testing"

// What a benchmark says of its timer and of memory leaves N as it is.
func BM1_readsN(b *testing.B) {
	c := make(chan int)
	go func() {
		for i := 0; i < b.N; i++ { // norace
			c <- i
		}
		close(c)
	}()
	b.ReportAllocs() // norace
	b.SetBytes(8)    // norace
	b.ResetTimer()   // norace
	for range c {
	}
	b.StopTimer() // norace
}

// The benchmark sets N itself.
func BM2_setsN(b *testing.B) {
	c := make(chan int)
	go func() {
		for i := 0; i < b.N; i++ { // race! b.N
			c <- i
		}
		close(c)
	}()
	b.ResetTimer()
	b.N = 1 // race! b.N
	for range c {
	}
}

// Loop sets N, to what it has come to.
func BM3_loop(b *testing.B) {
	done := make(chan int, 1)
	go func() {
		done <- b.N // race! b.N
	}()
	for b.Loop() { // race! b.N
	}
	<-done
}

// The timer is one for all goroutines.
func BM4_timer(b *testing.B) {
	go func() {
		b.StopTimer() // race! b
	}()
	b.StartTimer() // race! b
}

// Each goroutine says how much it has done.
func BM5_bytes(b *testing.B) {
	for i := range n {
		go func() {
			b.SetBytes(int64(i)) // race! b
		}()
	}
}
