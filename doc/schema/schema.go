// Package schema holds the JSON schema of the command's output, so that the
// command can print the very file that the documentation links to.
package schema

import _ "embed"

// Report is the JSON schema of what iterace -json prints.
//
//go:embed report.schema.json
var Report []byte
