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

type config struct {
	Rules  []*rule
	ByName map[string]*rule
	First  *rule
	Names  []string
}

type rule struct {
	Name string
	Hits int
	Sub  *rule
}

// What a decoder has made is there for all who have what it has filled.
func D8_filled() {
	var conf config
	json.Unmarshal(payloads[0], &conf)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			conf.First.Hits++         // race! conf.First.Hits
			conf.Names[0] = "x"       // race! conf.Names[*]
			conf.ByName["a"].Hits = 1 // race! conf.ByName[*].Hits
			for _, r := range conf.Rules {
				r.Hits = 2 // race! conf.Rules[*].Hits
				use(len(r.Name))
			}
		})
	}
	wg.Wait()
	use(conf.First.Hits)
}

// Each iteration has filled one of its own.
func D8b_ownFilled() {
	var wg sync.WaitGroup
	for _, d := range payloads {
		wg.Go(func() {
			var conf config
			json.Unmarshal(d, &conf)
			conf.First.Hits++         // norace
			conf.Names[0] = "x"       // norace
			conf.ByName["a"].Hits = 1 // norace
			for _, r := range conf.Rules {
				r.Hits = 2 // norace
			}
		})
	}
	wg.Wait()
}

// Of the elements each iteration has its own.
func D8c_ownElement() {
	var conf config
	json.Unmarshal(payloads[0], &conf)
	var wg sync.WaitGroup
	for i := range conf.Rules {
		wg.Go(func() {
			conf.Rules[i].Hits = 2 // norace
			conf.Names[i] = "x"    // norace
		})
	}
	for _, r := range conf.ByName {
		wg.Go(func() {
			r.Hits = 3 // norace
		})
	}
	wg.Wait()
}

// Each round fills one, and starts a goroutine with it.
func D9_startedWithIt() {
	var wg sync.WaitGroup
	for _, d := range payloads {
		var conf config
		if json.Unmarshal(d, &conf) != nil {
			continue
		}
		wg.Go(func() {
			conf.First.Hits++ // norace
			for _, r := range conf.Rules {
				r.Hits = 2 // norace
			}
		})
	}
	wg.Wait()
}

// What the next round fills is what the goroutine has.
func D9b_filledWhileUsed() {
	var wg sync.WaitGroup
	var conf config
	for _, d := range payloads {
		json.Unmarshal(d, &conf)
		first := conf.First
		wg.Go(func() {
			first.Hits++ // race! conf.First.Hits
		})
	}
	wg.Wait()
}

// A worker gets what each round has filled.
func D10_sent() {
	work := make(chan *config)
	done := make(chan bool)
	go func() {
		for conf := range work {
			conf.First.Hits++ // norace
			for _, r := range conf.Rules {
				r.Hits++ // norace
			}
		}
		close(done)
	}()
	for _, d := range payloads {
		conf := new(config)
		json.Unmarshal(d, conf)
		work <- conf
	}
	close(work)
	<-done
}

// Others find it in a table, and hold the table's lock.
func D11_table() {
	var mu sync.Mutex
	table := map[string]*config{}
	var wg sync.WaitGroup
	for _, d := range payloads {
		wg.Go(func() {
			conf := &config{}
			json.Unmarshal(d, conf)
			conf.First.Hits = 1 // norace
			mu.Lock()
			table[string(d)] = conf
			mu.Unlock()
			mu.Lock()
			for _, c := range table {
				c.First.Hits++ // norace
				use(len(c.Rules))
			}
			mu.Unlock()
		})
	}
	wg.Wait()
}

// They do not hold it.
func D11b_noLock() {
	var mu sync.Mutex
	table := map[string]*config{}
	var wg sync.WaitGroup
	for _, d := range payloads {
		wg.Go(func() {
			conf := &config{}
			json.Unmarshal(d, conf)
			mu.Lock()
			table["x"] = conf
			conf = table["y"]
			mu.Unlock()
			conf.First.Hits++ // race! First.Hits
		})
	}
	wg.Wait()
}
