package analyzer

import (
	"testing"

	"github.com/iterace/iterace/model"
)

// TestTakenElement is about what goroutines get out of a container/list. It is not among the test programs, which are one
// program: methods of lists that are called from many places are not told apart, and others there are about just these.
func TestTakenElement(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, get string
		want      model.Confidence
	}{
		{"removed", "if q.list.Len() == 0 { return nil }; e := q.list.Front(); q.list.Remove(e); return e.Value.(*chit)", model.Assumed},
		{"removed if there is one", "e := q.list.Back(); if e == nil { return nil }; q.list.Remove(e); return e.Value.(*chit)", model.Assumed},
		{"what Remove returns", "if e := q.list.Back(); e != nil { return q.list.Remove(e).(*chit) }; return nil", model.Assumed},
		{"moved", "e := q.list.Front(); if e == nil { return nil }; q.list.MoveToBack(e); return e.Value.(*chit)", model.Likely},
		{"another one removed", "e, last := q.list.Front(), q.list.Back(); if e == nil { return nil }; q.list.Remove(last); return e.Value.(*chit)", model.Likely},
		{"removed in another critical section", "e := q.list.Front(); q.mu.Unlock(); q.mu.Lock(); if e == nil { return nil }; q.list.Remove(e); return e.Value.(*chit)", model.Likely},
		{"removed sometimes", "e := q.list.Front(); if e == nil { return nil }; x := e.Value.(*chit); if q.list.Len() > 2 { return x }; q.list.Remove(e); return x", model.Likely},
	} {
		t.Run(test.name, func(t *testing.T) {
			wantSurest(t, ".tries", test.want, `package main

			import (
				"container/list"
				"sync"
			)

			type chit struct{ tries int }

			type queue struct {
				mu   sync.Mutex
				list *list.List
			}

			func (q *queue) put(c *chit) {
				q.mu.Lock()
				q.list.PushBack(c)
				q.mu.Unlock()
			}

			func (q *queue) get() *chit {
				q.mu.Lock()
				defer q.mu.Unlock()
				`+test.get+`
			}

			func main() {
				q := &queue{list: list.New()}
				for range 100 {
					q.put(new(chit))
				}
				var wg sync.WaitGroup
				for range 4 {
					wg.Go(func() {
						for c := q.get(); c != nil; c = q.get() {
							c.tries++
						}
					})
				}
				wg.Wait()
			}
			`)
		})
	}
}
