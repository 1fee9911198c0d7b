//go:build tools

// Package tools makes go.mod require what //:nogo is built from.
package tools

import _ "github.com/iterace/iterace/analyzer"
