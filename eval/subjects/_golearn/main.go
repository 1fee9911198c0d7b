// Command iteraceval trains random forests, whose trees are trained in
// parallel, on data that they share, and classifies with them.
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/ensemble"
	"github.com/sjwhitworth/golearn/evaluation"
	"github.com/sjwhitworth/golearn/filters"
)

func main() {
	name := "examples/datasets/iris_headers.csv"
	if len(os.Args) > 1 {
		name = os.Args[1]
	}
	iris, err := base.ParseCSVToInstances(name, true)
	if err != nil {
		log.Fatal(err)
	}
	chi := filters.NewChiMergeFilter(iris, 0.999)
	for _, a := range base.NonClassFloatAttributes(iris) {
		chi.AddAttribute(a)
	}
	if err := chi.Train(); err != nil {
		log.Fatal(err)
	}
	train, test := base.InstancesTrainTestSplit(base.NewLazilyFilteredInstances(iris, chi), 0.6)

	forest := ensemble.NewRandomForest(10, 3)
	if err := forest.Fit(train); err != nil {
		log.Fatal(err)
	}
	predictions, err := forest.Predict(test)
	if err != nil {
		log.Fatal(err)
	}
	matrix, err := evaluation.GetConfusionMatrix(test, predictions)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(evaluation.GetSummary(matrix))
}
