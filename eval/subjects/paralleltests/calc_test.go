package paralleltests

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// fixture is an environment that many tests read.
func fixture() *Env {
	e := NewEnv(nil)
	e.Set("pi", math.Pi)
	e.Set("x", 3)
	return e
}

func TestEval(t *testing.T) {
	env := fixture()
	tests := []struct {
		text string
		want float64
		err  error
	}{
		{"1 + 2*3", 7, nil},
		{"(1 + 2)*3", 9, nil},
		{"x/2 - 1", 0.5, nil},
		{"2*pi*x", 6 * math.Pi, nil},
		{"x/(x-3)", 0, ErrDivide},
		{"(1", 0, ErrSyntax},
		{"1 +", 0, ErrSyntax},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			t.Parallel()
			got, err := evaluate(tt.text, env)
			if !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			if math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func evaluate(text string, env *Env) (float64, error) {
	x, err := Parse(text)
	if err != nil {
		return 0, err
	}
	return x.Eval(env)
}

// One expression is evaluated by many goroutines, each with variables of its
// own above shared ones.
func TestScopes(t *testing.T) {
	shared := fixture()
	x, err := Parse("x*i + pi")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			env := NewEnv(shared)
			env.Set("i", float64(i))
			got, err := x.Eval(env)
			if err != nil {
				t.Fatal(err)
			}
			if want := 3*float64(i) + math.Pi; got != want {
				t.Errorf("got %v, want %v", got, want)
			}
			if n := env.Uses("i"); n != 1 {
				t.Errorf("i was used %d times", n)
			}
		})
	}
}

// Results are collected, and looked at when all subtests have ended.
func TestCollect(t *testing.T) {
	var mu sync.Mutex
	results := make(map[string]float64)
	env := fixture()
	texts := []string{"x+1", "x+2", "x+3"}
	t.Run("all", func(t *testing.T) {
		for _, text := range texts {
			t.Run(text, func(t *testing.T) {
				t.Parallel()
				v, err := evaluate(text, env)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				results[text] = v
				mu.Unlock()
			})
		}
	})
	if len(results) != len(texts) {
		t.Errorf("%d results: %v", len(results), results)
	}
	if n := env.Uses("x"); n != len(texts) {
		t.Errorf("x was used %d times", n)
	}
}

// A counter of what the whole test binary has read, and what it was.
var (
	files   sync.Map
	reading = make([]string, 4)
)

// Each subtest has a directory and an element of its own.
func TestFiles(t *testing.T) {
	for i := range reading {
		t.Run(fmt.Sprintf("file%d", i), func(t *testing.T) {
			t.Parallel()
			name := filepath.Join(t.TempDir(), "expr.txt")
			if err := os.WriteFile(name, fmt.Appendf(nil, "%d*%d", i, i), 0o666); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { files.Store(name, i) })
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			reading[i] = string(data)
			got, err := evaluate(reading[i], NewEnv(nil))
			if err != nil || got != float64(i*i) {
				t.Errorf("got %v, %v", got, err)
			}
			t.Logf("%s is %v", reading[i], got)
		})
	}
}

// Concurrent writers and readers of one environment, under the test's own
// goroutines.
func TestEnvConcurrent(t *testing.T) {
	t.Parallel()
	env := NewEnv(nil)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Add(2)
		name := fmt.Sprintf("v%d", i%3)
		go func() {
			defer wg.Done()
			env.Set(name, float64(i))
		}()
		go func() {
			defer wg.Done()
			env.Get(name)
		}()
	}
	wg.Wait()
	for i := range 3 {
		if _, ok := env.Get(fmt.Sprintf("v%d", i)); !ok {
			t.Errorf("v%d has no value", i)
		}
	}
}
