package fp

import "sync"

// False alarms of the second dozen of modules that were looked at for the first time.

// A tree is filled before others can find it.
func FP_filledBefore(names, words []string) {
	t := &trieTable{tries: map[string]*trieNode{}}
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Go(func() {
			t.load(name, words)
			t.find(name, []byte(name))
		})
	}
	wg.Wait()
}

type trieNode struct {
	kind int
	sub  [4]*trieNode
}

func (t *trieNode) insert(word []byte, kind int) {
	at := t
	for _, c := range word {
		if at.sub[c&3] == nil {
			at.sub[c&3] = &trieNode{} // race _.sub[*]; the same
		}
		at = at.sub[c&3]
	}
	at.kind = kind // race _.kind; that nodes of a new tree are in no other one is not seen
}

func (t *trieNode) match(word []byte) int {
	at := t
	for _, c := range word {
		if at.sub[c&3] == nil { // race _.sub[*]; the same
			break
		}
		at = at.sub[c&3] // race _.sub[*]; the same
	}
	return at.kind // race _.kind; the same
}

type trieTable struct {
	mu    sync.Mutex
	tries map[string]*trieNode
}

func (t *trieTable) load(name string, words []string) {
	t.mu.Lock()
	_, ok := t.tries[name]
	t.mu.Unlock()
	if ok {
		return
	}
	trie := &trieNode{}
	for i, w := range words {
		trie.insert([]byte(w), i)
	}
	t.mu.Lock()
	t.tries[name] = trie
	t.mu.Unlock()
}

func (t *trieTable) find(name string, word []byte) int {
	t.mu.Lock()
	trie := t.tries[name]
	t.mu.Unlock()
	return trie.match(word)
}

// The lock is left out where there is one worker.
func FP_oneWorker(workers int, xs []int) int {
	var wg sync.WaitGroup
	var mu sync.Mutex
	found := 0
	for i := range workers {
		wg.Go(func() {
			for k := i; k < len(xs); k += workers {
				if workers == 1 {
					found++ // race found; that one worker has no other beside it is not seen: it takes the bound of the loop
				} else {
					mu.Lock()
					found++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return found
}

// What each has is a list of its own, or everyone's, which nothing is added to.
func FP_ownOrAll(all []int, some bool) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			var sent []int
			if some {
				for _, x := range all { // race _[*]; the same
					if x > 0 {
						sent = append(sent, x) // race _[*]; a variable that a function captures later holds whatever is stored in it
					}
				}
			} else {
				sent = all
			}
			sum := func() (s int) {
				for _, x := range sent { // race _[*]; the same
					s += x
				}
				return s
			}
			sum()
		})
	}
	wg.Wait()
}
