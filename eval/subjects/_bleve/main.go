// Command iteraceval builds an index in memory and searches it many times in
// parallel.
package main

import (
	"fmt"
	"log"
	"sync"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/search/query"
)

// A note is a document.
type note struct {
	Title string
	Body  string
	Year  int
	Made  time.Time
}

func main() {
	index, err := bleve.NewMemOnly(bleve.NewIndexMapping())
	if err != nil {
		log.Fatal(err)
	}
	defer index.Close()
	batch := index.NewBatch()
	for i := range 100 {
		n := note{fmt.Sprintf("note %d", i), "a text about ships and the sea", 1900 + i, time.Unix(int64(i)*1e7, 0)}
		if err := batch.Index(fmt.Sprint(i), n); err != nil {
			log.Fatal(err)
		}
	}
	if err := index.Batch(batch); err != nil {
		log.Fatal(err)
	}

	from, to := 1910.0, 1950.0
	queries := []query.Query{
		bleve.NewMatchQuery("ships"),
		bleve.NewMatchPhraseQuery("the sea"),
		bleve.NewFuzzyQuery("shups"),
		bleve.NewPrefixQuery("sh"),
		bleve.NewNumericRangeQuery(&from, &to),
		bleve.NewDateRangeQuery(time.Unix(0, 0), time.Unix(1e8, 0)),
		bleve.NewQueryStringQuery("+ships -land year:>1920"),
		bleve.NewConjunctionQuery(bleve.NewMatchQuery("ships"), bleve.NewTermQuery("sea")),
	}
	results := make([]*bleve.SearchResult, len(queries))
	var wg sync.WaitGroup
	for i, q := range queries {
		wg.Add(1)
		go func() {
			defer wg.Done()
			req := bleve.NewSearchRequest(q)
			req.Fields = []string{"Title"}
			req.Highlight = bleve.NewHighlight()
			req.AddFacet("years", bleve.NewFacetRequest("Year", 3))
			res, err := index.Search(req)
			if err != nil {
				log.Printf("query %d: %v", i, err)
				return
			}
			results[i] = res
		}()
	}
	wg.Wait()
	for i, res := range results {
		if res != nil {
			fmt.Printf("query %d: %d hits in %v\n", i, res.Total, res.Took)
		}
	}
}
