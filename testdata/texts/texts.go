// Package texts reads, counts and fetches texts in parallel. None of it races.
package texts

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// map-reduce word count
func WordCount(docs []string) map[string]int {
	parts := make([]map[string]int, len(docs))
	var wg sync.WaitGroup
	for i, d := range docs {
		wg.Add(1)
		go func(i int, d string) {
			defer wg.Done()
			m := make(map[string]int)
			for _, w := range strings.Fields(d) {
				m[strings.ToLower(w)]++
			}
			parts[i] = m
		}(i, d)
	}
	wg.Wait()
	total := map[string]int{}
	for _, m := range parts {
		for k, v := range m {
			total[k] += v
		}
	}
	return total
}

// sharded map
type shard struct {
	sync.RWMutex
	m map[string]int
}
type Sharded []*shard

func NewSharded(n int) Sharded {
	s := make(Sharded, n)
	for i := range s {
		s[i] = &shard{m: map[string]int{}}
	}
	return s
}
func (s Sharded) at(k string) *shard {
	h := uint32(2166136261)
	for i := 0; i < len(k); i++ {
		h = (h ^ uint32(k[i])) * 16777619
	}
	return s[h%uint32(len(s))]
}
func (s Sharded) Inc(k string) {
	sh := s.at(k)
	sh.Lock()
	sh.m[k]++
	sh.Unlock()
}
func (s Sharded) Get(k string) int {
	sh := s.at(k)
	sh.RLock()
	defer sh.RUnlock()
	return sh.m[k]
}

func CountSharded(files []string) (Sharded, error) {
	s := NewSharded(16)
	errs := make(chan error, len(files))
	var wg sync.WaitGroup
	for _, f := range files {
		wg.Add(1)
		go func() {
			defer wg.Done()
			fh, err := os.Open(f)
			if err != nil {
				errs <- err
				return
			}
			defer fh.Close()
			sc := bufio.NewScanner(fh)
			sc.Split(bufio.ScanWords)
			for sc.Scan() {
				s.Inc(sc.Text())
			}
			if err := sc.Err(); err != nil {
				errs <- err
			}
		}()
	}
	wg.Wait()
	close(errs)
	var all []error
	for e := range errs {
		all = append(all, e)
	}
	return s, errors.Join(all...)
}

// grep: walk, workers, printer
type match struct {
	path string
	line int
	text string
}

func Grep(root string, re *regexp.Regexp, w io.Writer) error {
	paths := make(chan string)
	found := make(chan match)
	var walkErr error
	go func() {
		defer close(paths)
		walkErr = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.Type().IsRegular() {
				paths <- p
			}
			return nil
		})
	}()
	var wg sync.WaitGroup
	for i := 0; i < 8; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for p := range paths {
				b, err := os.ReadFile(p)
				if err != nil {
					continue
				}
				for n, l := range bytes.Split(b, []byte("\n")) {
					if re.Match(l) {
						found <- match{p, n + 1, string(l)}
					}
				}
			}
		}()
	}
	go func() {
		wg.Wait()
		close(found)
	}()
	bw := bufio.NewWriter(w)
	for m := range found {
		bw.WriteString(m.path + ":" + m.text + "\n")
	}
	bw.Flush()
	return walkErr
}

// hashing tree
type result struct {
	path, sum string
	err       error
}

func HashAll(done <-chan struct{}, root string) (map[string]string, error) {
	paths, errc := walk(done, root)
	c := make(chan result)
	var wg sync.WaitGroup
	const n = 20
	wg.Add(n)
	for i := 0; i < n; i++ {
		go func() {
			digester(done, paths, c)
			wg.Done()
		}()
	}
	go func() {
		wg.Wait()
		close(c)
	}()
	m := make(map[string]string)
	for r := range c {
		if r.err != nil {
			return nil, r.err
		}
		m[r.path] = r.sum
	}
	if err := <-errc; err != nil {
		return nil, err
	}
	return m, nil
}

func walk(done <-chan struct{}, root string) (<-chan string, <-chan error) {
	paths := make(chan string)
	errc := make(chan error, 1)
	go func() {
		defer close(paths)
		errc <- filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
			if err != nil {
				return err
			}
			select {
			case paths <- path:
			case <-done:
				return errors.New("canceled")
			}
			return nil
		})
	}()
	return paths, errc
}

func digester(done <-chan struct{}, paths <-chan string, c chan<- result) {
	h := sha256.New()
	for p := range paths {
		b, err := os.ReadFile(p)
		h.Reset()
		h.Write(b)
		select {
		case c <- result{p, hex.EncodeToString(h.Sum(nil)), err}:
		case <-done:
			return
		}
	}
}

// fetch all
type Page struct {
	URL  string
	Body []byte
	Err  error
	Tags []string
}

func FetchAll(urls []string) []*Page {
	client := &http.Client{}
	pages := make([]*Page, len(urls))
	sem := make(chan struct{}, 5)
	var wg sync.WaitGroup
	for i, u := range urls {
		pages[i] = &Page{URL: u}
		wg.Add(1)
		sem <- struct{}{}
		go func(p *Page) {
			defer wg.Done()
			defer func() { <-sem }()
			p.fetch(client)
		}(pages[i])
	}
	wg.Wait()
	return pages
}

func (p *Page) fetch(c *http.Client) {
	resp, err := c.Get(p.URL)
	if err != nil {
		p.Err = err
		return
	}
	defer resp.Body.Close()
	p.Body, p.Err = io.ReadAll(resp.Body)
	p.Tags = append(p.Tags, resp.Header.Get("ETag"))
}

// crawler with visited set
type Crawler struct {
	mu   sync.Mutex
	seen map[string]bool
	wg   sync.WaitGroup
	out  chan string
}

func (c *Crawler) visit(u string, depth int) {
	defer c.wg.Done()
	if depth == 0 {
		return
	}
	c.mu.Lock()
	if c.seen[u] {
		c.mu.Unlock()
		return
	}
	c.seen[u] = true
	c.mu.Unlock()
	c.out <- u
	for _, l := range links(u) {
		c.wg.Add(1)
		go c.visit(l, depth-1)
	}
}

func links(u string) []string { return strings.Split(u, "/") }

func Crawl(start string) []string {
	c := &Crawler{seen: map[string]bool{}, out: make(chan string)}
	c.wg.Add(1)
	go c.visit(start, 4)
	go func() { c.wg.Wait(); close(c.out) }()
	var all []string
	for u := range c.out {
		all = append(all, u)
	}
	return all
}

// json lines, pooled buffers
var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type Rec struct {
	ID   int
	Name string
	Enc  []byte
}

func EncodeAll(recs []Rec) error {
	var once sync.Once
	var first error
	var wg sync.WaitGroup
	for i := range recs {
		wg.Add(1)
		go func(r *Rec) {
			defer wg.Done()
			b := bufs.Get().(*bytes.Buffer)
			defer bufs.Put(b)
			b.Reset()
			if err := json.NewEncoder(b).Encode(r); err != nil {
				once.Do(func() { first = err })
				return
			}
			r.Enc = append([]byte(nil), b.Bytes()...)
		}(&recs[i])
	}
	wg.Wait()
	return first
}

// inverted index: term ranges by worker
func Invert(docs []string, workers int) map[string][]int {
	type posting struct {
		term string
		doc  int
	}
	in := make([]chan posting, workers)
	outs := make([]map[string][]int, workers)
	var wg sync.WaitGroup
	for w := range in {
		in[w] = make(chan posting, 64)
		wg.Add(1)
		go func(w int) {
			defer wg.Done()
			m := map[string][]int{}
			for p := range in[w] {
				m[p.term] = append(m[p.term], p.doc)
			}
			outs[w] = m
		}(w)
	}
	for d, s := range docs {
		for _, t := range strings.Fields(s) {
			in[len(t)%workers] <- posting{t, d}
		}
	}
	for _, c := range in {
		close(c)
	}
	wg.Wait()
	r := map[string][]int{}
	for _, m := range outs {
		for k, v := range m {
			r[k] = v
		}
	}
	return r
}

// All runs all of it.
func All() {
	docs := []string{"a b", "c d"}
	WordCount(docs)
	CountSharded(docs)
	Grep(".", regexp.MustCompile("x"), os.Stdout)
	HashAll(nil, ".")
	FetchAll(docs)
	Crawl("a/b")
	EncodeAll(make([]Rec, 4))
	Invert(docs, 3)
}
