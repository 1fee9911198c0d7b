package together_test

import (
	"testing"

	"github.com/iterace/iterace/testdata/testfiles/together"
)

// Tests outside the package are run by the same binary.
func TestTG11_outside(t *testing.T) {
	t.Parallel()
	together.Default = 1 // race! Default
}
