package order_test

import (
	"os"
	"runtime/pprof"
	"testing"
	"time"

	"github.com/iterace/iterace/analyzer"
)

func TestZProf(t *testing.T) {
	dir := os.Getenv("PROFDIR")
	if dir == "" {
		t.Skip()
	}
	f, _ := os.Create("/tmp/ord/cpu.prof")
	go func() {
		time.Sleep(12 * time.Second)
		pprof.StartCPUProfile(f)
		time.Sleep(45 * time.Second)
		pprof.StopCPUProfile()
		f.Close()
		os.Exit(0)
	}()
	analyzer.Run(&analyzer.Config{Dir: dir, Patterns: []string{"./..."}, Log: os.Stderr})
}
