// Command iteraceval tags many documents in parallel, all with one model, and
// counts the names in them.
package main

import (
	"fmt"
	"log"
	"os"
	"sort"
	"sync"

	"github.com/jdkato/prose/v2"
)

func main() {
	texts := []string{
		"Lebron James plays basketball in Los Angeles. He is tall.",
		"Rob Pike and Ken Thompson designed Go at Google.",
	}
	for _, name := range os.Args[1:] {
		data, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		texts = append(texts, string(data))
	}
	first, err := prose.NewDocument(texts[0])
	if err != nil {
		log.Fatal(err)
	}

	docs := make([]*prose.Document, len(texts))
	names := &counter{n: make(map[string]int)}
	var wg sync.WaitGroup
	for i, text := range texts {
		wg.Add(1)
		go func(i int, text string) {
			defer wg.Done()
			doc, err := prose.NewDocument(text, prose.UsingModel(first.Model))
			if err != nil {
				log.Printf("document %d: %v", i, err)
				return
			}
			for _, e := range doc.Entities() {
				names.add(e.Text)
			}
			docs[i] = doc
		}(i, text)
	}
	wg.Wait()
	for i, doc := range docs {
		if doc != nil {
			fmt.Printf("document %d: %d sentences, %d tokens\n", i, len(doc.Sentences()), len(doc.Tokens()))
		}
	}
	names.print()
}

// A counter counts words for many goroutines.
type counter struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *counter) add(word string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n[word]++
}

func (c *counter) print() {
	var words []string
	for w := range c.n {
		words = append(words, w)
	}
	sort.Strings(words)
	for _, w := range words {
		fmt.Println(c.n[w], w)
	}
}
