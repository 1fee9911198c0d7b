package library

import (
	"encoding/json"
	"sync"
)

var payloads = [][]byte{
	[]byte(`{"N": 1, "Next": {"N": 2}}`), []byte(`{"N": 3, "Next": {"N": 4}}`),
	[]byte(`{"N": 5, "Next": {"N": 6}}`), []byte(`{"N": 7, "Next": {"N": 8}}`),
}

type message struct {
	N    int
	Next *message
	own  *message
}

// A message leads nowhere when it is filled, and to what all share afterwards.
func D1_blank() {
	all := &message{}
	all.N = len(payloads)
	var wg sync.WaitGroup
	for _, d := range payloads {
		wg.Go(func() {
			var m message
			if json.Unmarshal(d, &m) == nil {
				m.Next = all
				use(m.Next.N) // norace
			}
		})
	}
	wg.Wait()
}

func use(int) {}

// It leads to what all share when it is filled.
func D2_linked() {
	all := &message{}
	var wg sync.WaitGroup
	for _, d := range payloads {
		wg.Go(func() {
			m := message{Next: all}
			json.Unmarshal(d, &m) // race! all
		})
	}
	wg.Wait()
}

// What is linked in one round is there in the next.
func D3_nextRound() {
	all := &message{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var m message
			for _, d := range payloads {
				json.Unmarshal(d, &m) // race! all
				m.Next = all
			}
		})
	}
	wg.Wait()
}

// In each round the message is a new one.
func D4_newInEachRound() {
	all := &message{N: 3}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, d := range payloads {
				m := &message{}
				if json.Unmarshal(d, m) != nil {
					continue
				}
				m.Next = all
				use(m.Next.N) // norace
			}
		})
	}
	wg.Wait()
}

// Fields that are not exported are left alone.
func D5_notExported() {
	all := &message{N: 3}
	var wg sync.WaitGroup
	for _, d := range payloads {
		wg.Go(func() {
			m := message{own: all}
			json.Unmarshal(d, &m)
			use(m.own.N) // norace
		})
	}
	wg.Wait()
}

// A helper fills in the link first.
func D6_linkedByHelper() {
	all := &message{}
	var wg sync.WaitGroup
	for _, d := range payloads {
		wg.Go(func() {
			var m message
			link(&m, all)
			json.Unmarshal(d, &m) // race! all
		})
	}
	wg.Wait()
}

func link(m, to *message) { m.Next = to }

// Filled once, and then linked and filled again.
func D7_filledAgain() {
	all := &message{}
	var wg sync.WaitGroup
	for _, d := range payloads {
		wg.Go(func() {
			var m message
			json.Unmarshal(d, &m) // norace
			m.Next = all
			json.Unmarshal(d, &m) // race! all
		})
	}
	wg.Wait()
}
