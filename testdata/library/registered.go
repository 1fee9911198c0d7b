package library

import (
	"net/http"
	"net/http/httptest"
	"net/rpc"
)

type served struct{ limit, name, port, level int }

// What is registered runs once the server is started.
func RG1_beforeServing() {
	s := &served{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		println(s.limit, // assumed s.limit
			s.name) // race! s.name
	})
	s.limit = 1 // assumed s.limit
	go http.ListenAndServe(":80", mux)
	s.name = 1 // race! s.name
	select {}
}

func RG2_inServer() {
	s := &served{}
	mux := http.NewServeMux()
	mux.Handle("/", handler2{s})
	s.setLimit()
	srv := &http.Server{Handler: mux}
	if err := srv.ListenAndServe(); err != nil {
		println(err.Error())
	}
}

func (s *served) setLimit() { s.limit = 2 } // assumed s.limit

type handler2 struct{ s *served }

func (h handler2) ServeHTTP(http.ResponseWriter, *http.Request) {
	println(h.s.limit) // assumed s.limit
}

// The mux is served already, by another goroutine.
func RG3_afterwards() {
	s := &served{}
	mux := http.NewServeMux()
	go func() {
		http.ListenAndServe(":80", mux)
	}()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		println(s.port) // race! s.port
	})
	s.port = 1 // race! s.port
	select {}
}

// A goroutine serves, and another one writes meanwhile.
func RG4_otherThread() {
	s := &served{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		println(s.level) // race! s.level
	})
	go func() {
		s.level = 1 // race! s.level
	}()
	srv := httptest.NewServer(mux)
	defer srv.Close()
	select {}
}

// In the second round the first round's server runs.
func RG5_rounds() {
	s := &served{}
	for range 2 {
		mux := http.NewServeMux()
		mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
			println(s.level) // race! s.level
		})
		s.level = 1 // race! s.level
		srv := httptest.NewServer(mux)
		defer srv.Close()
	}
}

// Who serves is not in view.
func RG6_servedByOthers() {
	s := &served{}
	http.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		println(s.level) // race! s.level
	})
	s.level = 1 // race! s.level
}

// Handlers run at the same time, and may write.
func RG7_handlers() {
	s := &served{}
	http.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		s.limit++ // race! s.limit
	})
	http.ListenAndServe(":80", nil)
}

type ownMux struct {
	mux                      *http.ServeMux
	limit, name, port, level int
}

// Who makes the mux fills in the rest before anyone can serve it.
func RG8_ownMux() *ownMux {
	s := &ownMux{mux: http.NewServeMux()}
	s.handle()
	s.limit = 1 // assumed s.limit
	return s
}

func (s *ownMux) handle() {
	s.mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		println(s.limit) // assumed s.limit
	})
}

// The mux is given: it may be served already.
func RG9_givenMux(mux *http.ServeMux) *served {
	s := &served{}
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		println(s.limit) // race! s.limit
	})
	s.limit = 1 // race! s.limit
	return s
}

// A goroutine has it, and may do anything with it.
func RG10_sharedMux(serve func(*http.ServeMux)) *served {
	s := &served{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		println(s.port) // race! s.port
	})
	go serve(mux)
	s.port = 1 // race! s.port
	return s
}

// Who calls the maker of the mux comes later.
func RG11_byCaller(serve func(*http.ServeMux)) {
	s := newOwnMux()
	serve(s.mux)
	s.level = 1 // race! s.level
}

func newOwnMux() *ownMux {
	s := &ownMux{mux: http.NewServeMux()}
	s.register()
	return s
}

func (s *ownMux) register() {
	s.mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		println(s.level) // race! s.level
	})
}

// A server that is made, filled in, and started then.
func RG12_unstarted() {
	s := &served{}
	srv := httptest.NewUnstartedServer(handler12{s})
	s.limit = 1 // assumed s.limit
	srv.Start()
	s.name = 1 // race! s.name
	srv.Close()
}

type handler12 struct{ s *served }

func (h handler12) ServeHTTP(http.ResponseWriter, *http.Request) {
	println(h.s.limit, // assumed h.s.limit
		h.s.name) // race! h.s.name
}

// A mux is served by such a server, too.
func RG13_muxStarted() {
	s := &served{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		println(s.limit, // assumed s.limit
			s.name) // race! s.name
	})
	srv := httptest.NewUnstartedServer(mux)
	s.limit = 1 // assumed s.limit
	srv.Start()
	s.name = 1 // race! s.name
	srv.Close()
}

// The service itself is registered with its package: anybody may serve it.
func RG14_packages() *counted14 {
	c := &counted14{}
	rpc.Register(c)
	c.n = 1 // race! c.n
	return c
}

type counted14 struct{ n int }

func (c *counted14) Count(in int, out *int) error {
	*out = c.n // race! c.n
	return nil
}

// Another server, which is started later, is not the first that serves.
func RG15_twoServers() {
	s := &served{}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		println(s.port) // race! s.port
	})
	srv := httptest.NewUnstartedServer(mux)
	srv.Start()
	s.port = 1 // race! s.port
	http.ListenAndServe(":80", nil)
}

// Who has another function make the mux fills in the rest before its callers have it.
func RG16_byOther(limited bool) *ownMux16 {
	s := newMux16()
	if limited {
		s.limitTo(1)
	}
	return s
}

type ownMux16 struct {
	mux   *http.ServeMux
	limit int
}

func newMux16() *ownMux16 {
	s := &ownMux16{mux: http.NewServeMux()}
	s.mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		println(s.limit) // assumed s.limit
	})
	return s
}

func (s *ownMux16) limitTo(n int) { s.limit = n } // assumed s.limit

// A goroutine has it before that.
func RG17_sharedBefore(serve func(*http.ServeMux)) *ownMux17 {
	s := newMux17()
	go serve(s.mux)
	s.limitTo(1)
	return s
}

type ownMux17 struct {
	mux   *http.ServeMux
	limit int
}

func newMux17() *ownMux17 {
	s := &ownMux17{mux: http.NewServeMux()}
	s.mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		println(s.limit) // race! s.limit
	})
	return s
}

func (s *ownMux17) limitTo(n int) { s.limit = n } // race! s.limit

// It goes on with one that others have.
func RG18_another() {
	s := newMux18()
	if kept18 != nil {
		kept18.limitTo(1)
	}
	kept18 = s
}

var kept18 *ownMux18

type ownMux18 struct {
	mux   *http.ServeMux
	limit int
}

func newMux18() *ownMux18 {
	s := &ownMux18{mux: http.NewServeMux()}
	s.mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		println(s.limit) // race! s.limit
	})
	return s
}

func (s *ownMux18) limitTo(n int) { s.limit = n } // race! s.limit

// One of those who pass it has it from elsewhere.
func RG19_oneCaller() {
	s := newMux19()
	s.limitTo(1)
	_ = s.mux
	t := newMux19()
	kept19 = t
	late19()
}

var kept19 *ownMux19

func late19() { kept19.limitTo(2) }

type ownMux19 struct {
	mux   *http.ServeMux
	limit int
}

func newMux19() *ownMux19 {
	s := &ownMux19{mux: http.NewServeMux()}
	s.mux.HandleFunc("/", func(http.ResponseWriter, *http.Request) {
		println(s.limit) // race! s.limit
	})
	return s
}

func (s *ownMux19) limitTo(n int) { s.limit = n } // race! s.limit
