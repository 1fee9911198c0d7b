package heap

import (
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
)

// What has been made is its maker's until he hands it on, whatever it goes through meanwhile:
// interface values, functions that give it back, methods that are called on it, messages that print it.

type packet interface{ number() int }

func makePacket(kind int) packet {
	switch kind {
	case 0:
		return &askPacket{}
	case 1:
		return &tellPacket{}
	}
	return nil
}

var packets = struct {
	sync.Mutex
	by map[int]packet
}{by: make(map[int]packet)}

func keepPacket(p packet) {
	packets.Lock()
	defer packets.Unlock()
	packets.by[p.number()] = p
}

func findPacket(k int) packet {
	packets.Lock()
	defer packets.Unlock()
	return packets.by[k]
}

// UP1: a packet comes as an interface value, and is filled before others have it.
func UP1_byInterface() {
	for i := range n {
		go func() {
			ask := makePacket(0).(*askPacket)
			if ask.id == 0 {
				ask.id = i // assumed id
			}
			keepPacket(ask)
			if p := findPacket(0); p != nil {
				p.number()
			}
		}()
	}
}

type askPacket struct{ id int }

func (p *askPacket) number() int { return p.id } // assumed id

// UP1b: it is filled afterwards.
func UP1b_filledTooLate() {
	for i := range n {
		go func() {
			tell, ok := makePacket(1).(*tellPacket)
			if !ok {
				return
			}
			keepPacket(tell)
			tell.id = i // race! id
			if p := findPacket(0); p != nil {
				p.number()
			}
		}()
	}
}

type tellPacket struct{ id int }

func (p *tellPacket) number() int { return p.id } // race! id

// UP2: functions fill what is made, and give it back.
func UP2_givenBack(rows []map[string]any) {
	for range n {
		go func() {
			for _, row := range rows {
				m, err := (&machine{port: 1}).fill(row)
				if err != nil || m.open() == 0 {
					continue
				}
				m.port++
				addMachine(m)
			}
			last := lastMachine()
			_, _ = last.port, last.name // assumed port; assumed name
		}()
	}
}

type machine struct {
	mu   sync.RWMutex
	port int
	name string
}

// A deferred call that only unlocks hands nothing on, nor does a message that is never sent.
func (m *machine) open() int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.port < 0 {
		panic(fmt.Sprintf("no port: %v", m))
	}
	return m.port
}

func (m *machine) String() string { return m.name }

// fill gives back what it is given.
func (m *machine) fill(row map[string]any) (*machine, error) {
	name, ok := row["name"].(string)
	if !ok {
		return nil, fmt.Errorf("no name in %v of %v", row, m)
	}
	m.name = name // assumed name
	m.port = m.open() + 1
	return m, nil
}

var machines struct {
	sync.Mutex
	all []*machine
}

func addMachine(m *machine) {
	machines.Lock()
	machines.all = append(machines.all, m)
	machines.Unlock()
}

func lastMachine() *machine {
	machines.Lock()
	defer machines.Unlock()
	if len(machines.all) == 0 {
		return &machine{}
	}
	return machines.all[len(machines.all)-1]
}

type lathe struct{ power int }

var lathes struct {
	sync.Mutex
	first *lathe
}

// tuned gives back what it is given, or another one.
func (e *lathe) tuned() *lathe {
	lathes.Lock()
	defer lathes.Unlock()
	if lathes.first != nil {
		return lathes.first
	}
	return e
}

func (e *lathe) shown() *lathe {
	lathes.Lock()
	defer lathes.Unlock()
	lathes.first = e
	return e
}

// UP3: what is given back may be what others have.
func UP3_anotherOne() {
	for i := range n {
		go func() {
			e := (&lathe{}).tuned()
			e.power = i // race! power
			e.shown()
		}()
	}
}

type drill struct{ power int }

var drills struct {
	sync.Mutex
	first *drill
}

func (m *drill) shown() *drill {
	drills.Lock()
	defer drills.Unlock()
	drills.first = m
	return m
}

// UP4: what is given back has been handed on, too.
func UP4_handedOnAndBack() {
	for i := range n {
		go func() {
			m := (&drill{}).shown()
			m.power = i // race! power
			drills.Lock()
			other := drills.first
			drills.Unlock()
			_ = other.power // race! power
		}()
	}
}

// UP5: a message calls the method of what it prints, which hands it on.
func UP5_handedOnByMessage() {
	for i := range n {
		go func() {
			g := &cog{}
			fmt.Println("new", g)
			g.teeth = i // race! teeth
			cogs.Lock()
			other := cogs.first
			cogs.Unlock()
			if other != nil {
				_ = other.teeth // race! teeth
			}
		}()
	}
}

type cog struct{ teeth int }

func (g *cog) String() string {
	cogs.Lock()
	cogs.first = g
	cogs.Unlock()
	return "cog"
}

var cogs struct {
	sync.Mutex
	first *cog
}

// UP6: operations on a part of the object hand nothing on; what they store they do.
func UP6_byAtomics() {
	for i := range n {
		go func() {
			w := &flywheel{}
			w.turns.Store(int64(i))
			w.size = i // assumed size
			flywheels.Store(w)
			_ = flywheels.Load().size // assumed size

			v := &valve{}
			valves.CompareAndSwap(nil, v)
			v.size = i             // race! size
			_ = valves.Load().size // race! size
		}()
	}
}

type flywheel struct {
	turns atomic.Int64
	size  int
}

type valve struct{ size int }

var (
	flywheels atomic.Pointer[flywheel]
	valves    atomic.Pointer[valve]
)

// UP7: literals have captured the variable that has the object, and are run at once or at the end.
func UP7_inVariable() {
	for i := range n {
		go func() (err error) {
			b := &bench{}
			defer func() {
				if err != nil {
					_ = len(b.tools)
				}
			}()
			sort.Slice(b.tools, func(j, k int) bool { return b.tools[j] < b.tools[k] })
			b.size = i // assumed size
			b.sorted()
			b.size++ // assumed size
			benches.Store(b)
			_ = benches.Load().size // assumed size
			return nil
		}()
	}
}

type bench struct {
	size  int
	tools []int
}

func (b *bench) sorted() {
	sort.Slice(b.tools, func(j, k int) bool { return b.tools[j] < b.tools[k] })
}

var benches atomic.Pointer[bench]

// UP8: a literal hands it on.
func UP8_handedOnByLiteral() {
	for i := range n {
		go func() {
			s := &shelf{tools: make([]int, 3)}
			sort.Slice(s.tools, func(j, k int) bool {
				shelves.Store(s)
				return s.tools[j] < s.tools[k]
			})
			s.size = i              // race! size
			_ = shelves.Load().size // race! size
		}()
	}
}

type shelf struct {
	size  int
	tools []int
}

var shelves atomic.Pointer[shelf]

// UP9: a literal that has captured the variable is kept, and run by others.
func UP9_literalKept() {
	for i := range n {
		go func() {
			r := &rack{}
			show := func() int { return r.size } // race! size
			rackSizes.Lock()
			rackSizes.f = show
			f := rackSizes.f
			rackSizes.Unlock()
			r.size = i // race! size
			f()
		}()
	}
}

type rack struct{ size int }

var rackSizes struct {
	sync.Mutex
	f func() int
}

// UP10: a literal puts into the variable what others have.
func UP10_setByLiteral() {
	for i := range n {
		go func() {
			c := &crate{}
			func() {
				if old := crates.Load(); old != nil {
					c = old
				}
			}()
			c.size = i // race! size
			crates.Store(c)
			_ = crates.Load().size // race! size
		}()
	}
}

type crate struct{ size int }

var crates atomic.Pointer[crate]

type roster struct {
	mu    sync.Mutex
	names []int
}

func (r *roster) list() []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.names
}

// UP11: what it is given, it changes by a part of it, and gives back.
func UP11_partOfGiven() {
	r := &roster{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			r.mu.Lock()
			r.names = halfCleared(append([]int(nil), r.names...))
			r.mu.Unlock()
			for _, x := range r.list() {
				_ = x // norace
			}
		})
	}
	wg.Wait()
}

func halfCleared(xs []int) []int {
	half := xs[len(xs)/2:]
	clear(half)
	return append(xs, 1)
}

// The part has been left where others find it.
func UP11b_partLeft() {
	r := &roster{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			r.mu.Lock()
			r.leaveAndClear(append([]int(nil), 1, 2, 3))
			r.mu.Unlock()
			for _, x := range r.list() { // race! r.names[*]
				_ = x
			}
		})
	}
	wg.Wait()
}

func (r *roster) leaveAndClear(xs []int) {
	half := xs[1:]
	r.names = half
	clear(half) // race! r.names[*]
}

// UP12: what is appended to a slice without room is new.
func UP12_copiedByAppend() {
	r := &roster{names: []int{1, 2, 3}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			r.mu.Lock()
			own := append(r.names[:0:0], r.names...)
			own[0] = i // norace
			r.names = own
			r.mu.Unlock()
			for _, x := range r.list() {
				_ = x // norace
			}
		})
	}
	wg.Wait()
}

// This one has room.
func UP12b_withRoom() {
	r := &roster{names: []int{1, 2, 3}}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			r.mu.Lock()
			own := append(r.names[:0:1], 1, 2) // race! r.names[*]
			own[0] = i                         // race! r.names[*]
			r.names = own
			r.mu.Unlock()
			for _, x := range r.list() { // race! r.names[*]
				_ = x
			}
		})
	}
	wg.Wait()
}
