package library

import (
	"net/http"
	"sync"
)

// A clone of a request has a header and a URL of its own.
func O8_requestClone(r *http.Request) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			c := r.Clone(r.Context())  // norace
			c.ContentLength = int64(i) // norace
			c.Header.Set("a", "b")     // norace
			c.URL.Path = "x"           // norace
		})
	}
	wg.Wait()
}

// A shallow copy shares them.
func O9_requestWithContext(r *http.Request) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			c := r.WithContext(r.Context())
			c.ContentLength = int64(i) // norace
			c.Header.Add("a", "b")     // race! _
			c.URL.Path = "x"           // race! r.URL.Path
		})
	}
	wg.Wait()
}

// A new request has a header and a URL, which all share.
func O10_requestShared() {
	r, err := http.NewRequest("GET", "http://localhost", nil)
	if err != nil {
		return
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			r.Header.Set("a", "b") // race! _
			r.URL.Path = "x"       // race! _.Path
		})
	}
	wg.Wait()
}

// Each iteration makes its own.
func O11_requestOwn() {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			r, err := http.NewRequest("GET", "http://localhost", nil)
			if err != nil {
				return
			}
			r.Header.Set("a", "b") // norace
			r.URL.Path = "x"       // norace
		})
	}
	wg.Wait()
}

// Each iteration is handed its own.
func O12_requestOfRound() {
	var wg sync.WaitGroup
	for range n {
		r, err := http.NewRequest("GET", "http://localhost", nil)
		if err != nil {
			return
		}
		wg.Go(func() {
			r.Header.Set("a", "b") // norace
			r.URL.Path = "x"       // norace
		})
	}
	wg.Wait()
}

// Credentials and cookies are set in a header, as Set does.
func O12_requestCredentials() {
	r, err := http.NewRequest("GET", "http://localhost", nil)
	if err != nil {
		return
	}
	r.SetBasicAuth("a", "b")
	done := make(chan bool)
	go func() {
		for _, v := range r.Header {
			v[0] = "x" // race! _[*]
		}
		done <- true
	}()
	for _, v := range r.Header {
		println(v[0]) // race! _[*]
	}
	<-done
}

// Two of them put into one map.
func O13_requestCookies() {
	r, err := http.NewRequest("GET", "http://localhost", nil)
	if err != nil {
		return
	}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			r.AddCookie(&http.Cookie{Name: "a"}) // race! _
		})
	}
	wg.Wait()
}

// Each has a request of its own.
func O14_requestOwnCookies() {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			r, err := http.NewRequest("GET", "http://localhost", nil)
			if err != nil {
				return
			}
			r.SetBasicAuth("a", "b")             // norace
			r.AddCookie(&http.Cookie{Name: "a"}) // norace
		})
	}
	wg.Wait()
}
