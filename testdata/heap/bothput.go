package heap

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
)

// What is put into two places is found in both.

type errand struct {
	id    int
	tries int
	state string
	mu    sync.Mutex
	done  chan struct{}
}

type errands struct {
	mu    sync.Mutex
	all   map[int]*errand
	list  []*errand
	queue chan *errand
}

// BP1_listedAndSent lists what it sends to be worked on.
func BP1_listedAndSent() {
	q := &errands{all: map[int]*errand{}, queue: make(chan *errand, 10)}
	go func() {
		for o := range q.queue {
			o.tries++ // race o.tries; many objects have one name
		}
	}()
	for i := range 5 {
		o := &errand{id: i}
		q.mu.Lock()
		q.all[i] = o
		q.mu.Unlock()
		q.queue <- o
	}
	q.mu.Lock()
	for _, o := range q.all {
		println(o.tries) // race o.tries; many objects have one name
	}
	q.mu.Unlock()
}

// BP1b_byMethods has both done by methods, below one that makes it.
func BP1b_byMethods() {
	q := &errands{all: map[int]*errand{}, queue: make(chan *errand, 10)}
	for range 3 {
		go func() {
			for o := range q.queue {
				o.tries++ // race o.tries; many objects have one name
			}
		}()
	}
	for i := range 5 {
		q.submit(i)
	}
	q.mu.Lock()
	for _, o := range q.all {
		println(o.tries) // race o.tries; many objects have one name
	}
	q.mu.Unlock()
}

func (q *errands) submit(i int) {
	o := &errand{}
	q.enter(i, o)
	q.send(o)
}

func (q *errands) enter(i int, o *errand) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.all[i] = o
}

func (q *errands) send(o *errand) { q.queue <- o }

// BP1c_onlyRead is not written any more when it is in both.
func BP1c_onlyRead() {
	q := &errands{all: map[int]*errand{}, queue: make(chan *errand, 10)}
	go func() {
		for o := range q.queue {
			println(o.tries)
		}
	}()
	for i := range 5 {
		o := &errand{id: i}
		o.tries = i
		q.mu.Lock()
		q.all[i] = o
		q.mu.Unlock()
		q.queue <- o
	}
	q.mu.Lock()
	for _, o := range q.all {
		println(o.tries)
	}
	q.mu.Unlock()
}

// BP1d_eitherOr puts each into one of the two.
func BP1d_eitherOr() {
	q := &errands{all: map[int]*errand{}, queue: make(chan *errand, 10)}
	go func() {
		for o := range q.queue {
			o.tries++ // assumed _.tries; graded assumed: many objects have one name
		}
	}()
	for i := range 5 {
		o := &errand{id: i}
		if i%2 == 0 {
			q.mu.Lock()
			q.all[i] = o
			q.mu.Unlock()
		} else {
			q.queue <- o
		}
	}
	q.mu.Lock()
	for _, o := range q.all {
		println(o.tries)
	}
	q.mu.Unlock()
}

// BP1e_ownLock has a lock in each.
func BP1e_ownLock() {
	q := &errands{all: map[int]*errand{}, queue: make(chan *errand, 10)}
	go func() {
		for o := range q.queue {
			o.mu.Lock()
			o.tries++
			o.mu.Unlock()
		}
	}()
	for i := range 5 {
		o := &errand{id: i}
		q.mu.Lock()
		q.all[i] = o
		q.mu.Unlock()
		q.queue <- o
	}
	q.mu.Lock()
	for _, o := range q.all {
		o.mu.Lock()
		println(o.tries)
		o.mu.Unlock()
	}
	q.mu.Unlock()
}

// BP1f_eitherMap puts each into one of two maps.
func BP1f_eitherMap() {
	q, r := &errands{all: map[int]*errand{}}, &errands{all: map[int]*errand{}}
	for i := range 5 {
		o := &errand{id: i}
		if i%2 == 0 {
			q.all[i] = o
		} else {
			r.all[i] = o
		}
	}
	go func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		for _, o := range q.all {
			o.tries++ // assumed _.tries; many objects have one name
		}
	}()
	for _, o := range r.all {
		println(o.tries)
	}
}

// BP1g_bothMaps puts each into both.
func BP1g_bothMaps() {
	q, r := &errands{all: map[int]*errand{}}, &errands{all: map[int]*errand{}}
	for i := range 5 {
		o := &errand{id: i}
		q.all[i] = o
		r.all[i] = o
	}
	go func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		for _, o := range q.all {
			o.tries++ // race _.tries; many objects have one name
		}
	}()
	for _, o := range r.all {
		println(o.tries) // race _.tries; as above
	}
}

// BP2_mapAndList has them by number, and in a list that is gone through without the lock.
func BP2_mapAndList() {
	q := &errands{all: map[int]*errand{}}
	for i := range 5 {
		o := &errand{id: i}
		q.all[i] = o
		q.list = append(q.list, o)
	}
	var wg sync.WaitGroup
	for i := range 5 {
		wg.Go(func() {
			q.mu.Lock()
			q.all[i].tries++ // race _.tries; many objects have one name
			q.mu.Unlock()
		})
	}
	for _, o := range q.list {
		println(o.tries) // race _.tries; many objects have one name
	}
	wg.Wait()
}

// BP2c_byMethod has a method that does both.
func BP2c_byMethod() {
	q := &errands{all: map[int]*errand{}}
	for i := range 5 {
		q.open(i)
	}
	var wg sync.WaitGroup
	for i := range 5 {
		wg.Go(func() { q.retry(i) })
	}
	println(q.total())
	wg.Wait()
}

func (q *errands) open(i int) {
	o := &errand{id: i}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.all[i] = o
	q.list = append(q.list, o)
}

func (q *errands) retry(i int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.all[i].tries++ // race _.tries; many objects have one name
}

func (q *errands) total() (n int) {
	for _, o := range q.list {
		n += o.tries // race _.tries; as above
	}
	return n
}

// BP2b_oneLock holds the lock for both.
func BP2b_oneLock() {
	q := &errands{all: map[int]*errand{}}
	for i := range 5 {
		o := &errand{id: i}
		q.all[i] = o
		q.list = append(q.list, o)
	}
	var wg sync.WaitGroup
	for i := range 5 {
		wg.Go(func() {
			q.mu.Lock()
			q.all[i].tries++
			q.mu.Unlock()
		})
	}
	q.mu.Lock()
	for _, o := range q.list {
		println(o.tries)
	}
	q.mu.Unlock()
	wg.Wait()
}

// BP3_handlers works on what others may ask for.
func BP3_handlers() {
	q := &errands{all: map[int]*errand{}}
	http.HandleFunc("/new", q.create)
	http.HandleFunc("/get", q.show)
	_ = http.ListenAndServe(":80", nil)
}

func (q *errands) create(http.ResponseWriter, *http.Request) {
	o := &errand{state: "new"}
	q.mu.Lock()
	q.all[len(q.all)] = o
	q.mu.Unlock()
	go q.run(o)
}

func (q *errands) run(o *errand) {
	o.state = "done" // race _.state; many objects have one name
}

func (q *errands) show(w http.ResponseWriter, _ *http.Request) {
	q.mu.Lock()
	o := q.all[0]
	q.mu.Unlock()
	_, _ = fmt.Fprintln(w, o.state) // race _.state; many objects have one name
}

// BP3b_captured starts it by a literal.
func BP3b_captured() {
	q := &errands{all: map[int]*errand{}}
	http.HandleFunc("/new", func(http.ResponseWriter, *http.Request) {
		o := &errand{state: "new"}
		q.mu.Lock()
		q.all[len(q.all)] = o
		q.mu.Unlock()
		go func() {
			o.state = "done" // race _.state; many objects have one name
		}()
	})
	http.HandleFunc("/get", func(w http.ResponseWriter, _ *http.Request) {
		q.mu.Lock()
		o := q.all[0]
		q.mu.Unlock()
		_, _ = fmt.Fprintln(w, o.state) // race _.state; many objects have one name
	})
	_ = http.ListenAndServe(":80", nil)
}

// BP3c_filledFirst fills what a constructor returns before others can find it.
func BP3c_filledFirst() {
	q := &errands{all: map[int]*errand{}}
	http.HandleFunc("/new", func(http.ResponseWriter, *http.Request) {
		o := newErrand()
		o.state = "filled"
		complete(o)
		q.enter(1, o)
		go func() { println(o.state) }()
	})
	http.HandleFunc("/get", func(w http.ResponseWriter, _ *http.Request) {
		q.mu.Lock()
		o := q.all[0]
		q.mu.Unlock()
		_, _ = fmt.Fprintln(w, o.state)
	})
	_ = http.ListenAndServe(":80", nil)
}

func newErrand() *errand { return &errand{state: "new", done: make(chan struct{})} }

func complete(o *errand) {
	for i := range 3 {
		o.state += string(rune('a' + i))
	}
}

// BP3d_promise has who finds it wait.
func BP3d_promise() {
	q := &errands{all: map[int]*errand{}}
	http.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		q.mu.Lock()
		o, ok := q.all[0]
		if !ok {
			o = newErrand()
			q.all[0] = o
			go func() {
				o.state = "done"
				close(o.done)
			}()
		}
		q.mu.Unlock()
		<-o.done
		_, _ = fmt.Fprintln(w, o.state)
	})
	_ = http.ListenAndServe(":80", nil)
}

// BP4_afterwards goes on with what it has put where others find it.
func BP4_afterwards() {
	q := &errands{all: map[int]*errand{}}
	go func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		for _, o := range q.all {
			println(o.tries) // race _.tries; many objects have one name
		}
	}()
	for i := range 3 {
		o := newErrand()
		o.tries = 1
		q.enter(i, o)
		try(o)
	}
}

func try(o *errand) { o.tries++ } // race _.tries; many objects have one name

// BP4b_answered goes on when it has its answer.
func BP4b_answered() {
	queue, answer := make(chan *errand), make(chan bool)
	go func() {
		for o := range queue {
			println(o.tries)
			answer <- true
		}
	}()
	for range 3 {
		o := newErrand()
		queue <- o
		<-answer
		try(o)
	}
	close(queue)
}

// BP5_installed goes on, in what others call too, with what it has put where they find it.
func BP5_installed() {
	s := &plans{}
	s.reload(0)
	var wg sync.WaitGroup
	wg.Go(func() {
		for k := range 5 {
			s.reload(k)
		}
	})
	for range 3 {
		wg.Go(func() {
			println(len(s.current.Load().hosts)) // race! _.hosts
		})
	}
	wg.Wait()
}

type plan struct {
	gen   int
	hosts []string
}

type plans struct {
	mu      sync.Mutex
	loads   int
	current atomic.Pointer[plan]
}

func (s *plans) reload(k int) {
	p := &plan{}
	for range k {
		p.hosts = append(p.hosts, "a")
	}
	s.install(p)
}

func (s *plans) install(p *plan) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loads++
	p.gen = s.loads
	s.publish(p)
	p.hosts = append(p.hosts, "b") // race! _.hosts
}

func (s *plans) publish(p *plan) { s.current.Store(p) }

// BP5b_completeFirst has it complete when it is put there.
func BP5b_completeFirst() {
	s := &plans{}
	s.reloadAll(0)
	var wg sync.WaitGroup
	wg.Go(func() {
		for k := range 5 {
			s.reloadAll(k)
		}
	})
	for range 3 {
		wg.Go(func() {
			println(len(s.current.Load().hosts)) // norace
		})
	}
	wg.Wait()
}

func (s *plans) reloadAll(k int) {
	p := &plan{}
	for range k {
		p.hosts = append(p.hosts, "a")
	}
	s.fillAndInstall(p)
}

func (s *plans) fillAndInstall(p *plan) {
	p.hosts = append(p.hosts, "b")
	s.publish(p)
}

// BP5c_startedByHelper has it worked on by a goroutine that a helper starts before it puts it there.
func BP5c_startedByHelper() {
	q := &errands{all: map[int]*errand{}}
	for i := range 5 {
		q.begin(i, &errand{id: i})
	}
	q.mu.Lock()
	for _, o := range q.all {
		println(o.tries) // race! _.tries
	}
	q.mu.Unlock()
}

func (q *errands) begin(i int, o *errand) {
	go attempt(o)
	q.enter(i, o)
}

func attempt(o *errand) {
	o.tries++ // race! _.tries
}
