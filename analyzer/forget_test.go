package analyzer

import (
	"runtime"
	"testing"
	"time"
)

// TestForget: once the base is solved nothing leads to SSA and syntax any more.
func TestForget(t *testing.T) {
	cfg := programsConfig(t)
	cfg.Cache = templatesDir(t)
	r, err := prepare(cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	gone := make(chan bool)
	runtime.AddCleanup(r.loaded.prog, func(gone chan bool) { close(gone) }, gone)
	r.solve()
	r.res.Prog.Forget()
	r.loaded.forget(false)
	for range 20 {
		runtime.GC()
		select {
		case <-gone:
			runtime.KeepAlive(r)
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Error("the SSA program is still there")
	runtime.KeepAlive(r)
}
