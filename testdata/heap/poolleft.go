package heap

import "sync"

// PE1_leftInPool gets from a pool what another entry point may have put there, and has it alone.
func PE1_leftInPool() {
	d := &roomTable{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			c := d.open(nil)
			c.first()
			c.Leave()
		})
	}
	wg.Wait()
}

type roomTable struct{ n int }

type RoomCursor struct {
	room *roomOf
	over *RoomPatch
	n    int
}

type roomOf struct{ cursor RoomCursor }

type RoomPatch struct{ n int }

var rooms = sync.Pool{New: func() any { return &roomOf{} }}

func (d *roomTable) open(over *RoomPatch) *RoomCursor {
	r := rooms.Get().(*roomOf)
	c := &r.cursor
	*c = RoomCursor{room: r, over: over}
	return begunIn(r)
}

func begunIn(r *roomOf) *RoomCursor {
	c := &r.cursor
	if c.over != nil {
		c.over.n++ // norace
	}
	return c
}

func (c *RoomCursor) first() {
	c.n++ // assumed c.n
}

func (c *RoomCursor) Leave() {
	if r := c.room; r != nil {
		*r = roomOf{}
		rooms.Put(r)
	}
}

// Set is another entry point.
func (c *RoomCursor) Set(over *RoomPatch) {
	go count(over)
	c.over = over
	begunIn(c.room)
	c.Leave()
}

func count(over *RoomPatch) int { return 1 }
