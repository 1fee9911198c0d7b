package call

import (
	"io"
	"sync"
)

// Drivers run library roots on data of their own, for the race check.

func newServer() *Server {
	s := &Server{seen: map[string]int{}, log: io.Discard}
	for range n {
		s.conns = append(s.conns, &conn{peer: &conn{}})
	}
	return s
}

func Drive_B10_receiverOfRoot() { B10_receiverOfRoot(newServer(), []string{"a", "b", "c"}) }

func Drive_B10_elementsOfParameter() { B10_elementsOfParameter(newServer()) }

func Drive_B10_twoParameters() { B10_twoParameters(make([]int, n), make([]int, n)) }

func Drive_B10_oneParameter() { B10_oneParameter(make([]int, n)) }

func Drive_B10_mapParameter() { B10_mapParameter(map[int]int{}, []int{1, 2, 3, 4}) }

func Drive_B10_functionParameter() { B10_functionParameter(n, func(int) {}) }

func Drive_B10_channelParameter() {
	jobs := make(chan *conn, n)
	for range n {
		jobs <- &conn{}
	}
	close(jobs)
	B10_channelParameter(jobs)
}

func Drive_B10_peerOfElement() { B10_peerOfElement(newServer().conns) }

func Drive_B10_resultOfRoot() { B10_resultOfRoot([]int{1, 2, 3, 4}) }

func Drive_B10_mutexParameter() {
	var total int
	B10_mutexParameter(new(sync.Mutex), &total, []int{1, 2, 3})
}

func Drive_B10_methodOfHiddenType() { B10_methodOfHiddenType().Add([]int{1, 2, 3, 4}) }
