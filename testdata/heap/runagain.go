package heap

import "sync"

// Programs about functions that their iterations call again: what such a run makes for its own iterations is not
// what the run has made that they were started by.

type raNode struct {
	name string
	kids []*raNode
	flat bool
}

// Each run has a list of its own.
func RN1_ownList() {
	go raList([]*raNode{{kids: []*raNode{{name: "a", kids: []*raNode{{name: "b"}}}, {name: "c"}}}})
}

func raList(ns []*raNode) {
	seen := make([]*raNode, len(ns))
	var wg sync.WaitGroup
	for i := range ns {
		seen[i] = raNext(ns[i]) // norace
		wg.Add(1)
		go func(i int) {
			defer wg.Done()
			raList(ns[i].kids)
		}(i)
	}
	wg.Wait()
	for i := range seen {
		seen[i] = nil // norace
	}
}

func raNext(n *raNode) *raNode { return &raNode{name: n.name} }

// What a run makes all its iterations share, those of a run that an iteration makes, too.
func RN2_oneTotal() {
	for range 3 {
		go raSum(&raNode{kids: []*raNode{{name: "a"}, {name: "b"}}})
	}
}

type raTotal struct{ n int }

func raNewTotal() *raTotal { return &raTotal{} }

func raSum(n *raNode) int {
	total := raNewTotal()
	var wg sync.WaitGroup
	for _, k := range n.kids {
		wg.Add(1)
		go func() {
			defer wg.Done()
			total.n += raSum(k) // race! total.n
		}()
	}
	wg.Wait()
	return total.n // race total.n; what a nested run reads after its Wait is taken for what the outer one has made
}

// An iteration puts what it makes where the others of its run find it.
func RN3_foundInMap() {
	go raIndex(&raNode{kids: []*raNode{{name: "a"}, {name: "b"}}})
}

func raIndex(n *raNode) {
	var mu sync.Mutex
	seen := map[string]*raTotal{}
	var wg sync.WaitGroup
	for _, k := range n.kids {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			t := seen[k.name]
			if t == nil {
				t = raNewTotal()
				seen[k.name] = t
			}
			mu.Unlock()
			t.n++ // race! t.n
			raIndex(k)
		}()
	}
	wg.Wait()
}
