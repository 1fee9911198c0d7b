package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// TestLSP: the language server speaks on standard input and output, in frames,
// and its exit code is the one that the protocol asks for.
func TestLSP(t *testing.T) {
	frame := func(text string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text) }
	var (
		initialize = frame(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":null,"capabilities":{}}}`)
		shutdown   = frame(`{"jsonrpc":"2.0","id":"two","method":"shutdown"}`)
		exit       = frame(`{"jsonrpc":"2.0","method":"exit"}`)
	)
	for _, tt := range []struct {
		args, in string
		code     int
		out, err string
	}{
		{"--stdio", initialize + shutdown + exit, exitNothing, `"name":"iterace"`, ""},
		{"", initialize + shutdown + exit, exitNothing, `{"id":"two","result":null,"jsonrpc":"2.0"}`, ""},
		{"", initialize + exit, exitError, `"textDocumentSync"`, "without shutdown"},
		{"", initialize, exitError, `"textDocumentSync"`, "without shutdown"},
		{"", "GET / HTTP/1.1\r\n\r\n", exitError, "", "no Content-Length"},
		{"-test", "", exitError, "", "lsp takes no argument -test"},
		{"-h", "", exitNothing, "Iterace reports", ""},
	} {
		var stdout, stderr bytes.Buffer
		code := runLSP(strings.Fields(tt.args), io.NopCloser(strings.NewReader(tt.in)), &stdout, &stderr)
		if code != tt.code || !strings.Contains(stdout.String(), tt.out) || !strings.Contains(stderr.String(), tt.err) {
			t.Errorf("%q, %q: exit code %d, want %d\n%s\n%s", tt.args, tt.in, code, tt.code, &stdout, &stderr)
		}
		if framed := strings.HasPrefix(stdout.String(), "Content-Length: "); framed != strings.Contains(tt.in, "Length") {
			t.Errorf("%q, %q: standard output: %s", tt.args, tt.in, &stdout)
		}
	}
}
