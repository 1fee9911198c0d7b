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

type tplPage struct {
	Title string
	hits  map[string]int
	site  *tplSite
}

type tplSite struct{ Pages int }

// A template may only name exported fields.
func TP2_unexported(t *template.Template) {
	p := &tplPage{hits: map[string]int{}, site: new(tplSite)}
	var wg sync.WaitGroup
	wg.Go(func() { t.Execute(io.Discard, p) })
	p.hits["x"]++  // norace
	p.site.Pages++ // norace
	wg.Wait()
}

func TP2b_exported(t *template.Template) {
	p := &tplPage{hits: map[string]int{}}
	var wg sync.WaitGroup
	wg.Go(func() { t.ExecuteTemplate(io.Discard, "x", p) }) // race! p.Title
	p.Title = "x"                                           // race! p.Title
	wg.Wait()
}
