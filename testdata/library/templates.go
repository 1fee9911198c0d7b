package library

import (
	"html/template"
	"io"
	"sync"
)

// What one goroutine parses into a copy of a template, others do not see.
func TP1_clones(base *template.Template) {
	var wg sync.WaitGroup
	for _, text := range []string{"a", "b"} {
		wg.Go(func() {
			t, err := base.Clone()
			if err != nil {
				return
			}
			t, err = t.New("").Option("missingkey=zero").Parse(text) // norace
			if err == nil {
				t.Execute(io.Discard, nil)
			}
		})
	}
	wg.Wait()
}

// They do see what is done to the template itself.
func TP1b_original(base *template.Template) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			base.Option("missingkey=zero") // race! base
		})
	}
	wg.Wait()
}
