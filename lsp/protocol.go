package lsp

import "encoding/json"

// This file has the part of the Language Server Protocol 3.17 that the server
// speaks. go.lsp.dev/protocol has all of it, but was last released in 2022 and
// brings a logger and a JSON package that reaches into the runtime; this is
// less to carry.

type initializeParams struct {
	RootURI          string `json:"rootUri"` // null if no folder is open
	WorkspaceFolders []struct {
		URI string `json:"uri"`
	} `json:"workspaceFolders"`
	Options      json.RawMessage `json:"initializationOptions"`
	Capabilities struct {
		Window struct {
			WorkDoneProgress bool `json:"workDoneProgress"`
		} `json:"window"`
		Workspace struct {
			Watched struct {
				Dynamic bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
		} `json:"workspace"`
		TextDocument struct {
			PublishDiagnostics struct {
				RelatedInformation bool `json:"relatedInformation"`
			} `json:"publishDiagnostics"`
			CodeAction struct {
				// Without it the client takes commands only, and no edits.
				LiteralSupport *struct{} `json:"codeActionLiteralSupport"`
			} `json:"codeAction"`
		} `json:"textDocument"`
	} `json:"capabilities"`
}

type registrationParams struct {
	Registrations []registration `json:"registrations"`
}

// A registration asks the client for notifications that it sends on demand.
type registration struct {
	ID      string       `json:"id"`
	Method  string       `json:"method"`
	Options watchOptions `json:"registerOptions"`
}

type watchOptions struct {
	Watchers []fileWatcher `json:"watchers"`
}

type fileWatcher struct {
	Pattern string `json:"globPattern"`
}

type watchedParams struct {
	Changes []textDocument `json:"changes"`
}

type initializeResult struct {
	Capabilities serverCapabilities `json:"capabilities"`
	ServerInfo   serverInfo         `json:"serverInfo"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

type serverCapabilities struct {
	TextDocumentSync   textDocumentSync   `json:"textDocumentSync"`
	CodeActionProvider *codeActionOptions `json:"codeActionProvider,omitempty"`
}

type textDocumentSync struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"`
	Save      bool `json:"save"`
}

const syncFull = 1 // each change has the whole text

type codeActionOptions struct {
	Kinds []string `json:"codeActionKinds"`
}

type textDocument struct {
	URI  string `json:"uri"`
	Text string `json:"text,omitempty"` // when it is opened
}

type documentParams struct {
	TextDocument textDocument `json:"textDocument"`
	Changes      []struct {
		Text string `json:"text"`
	} `json:"contentChanges"`
}

type position struct {
	Line      int `json:"line"`      // from 0
	Character int `json:"character"` // from 0, in UTF-16 code units
}

// before reports whether p is in front of q.
func (p position) before(q position) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Character < q.Character
}

type textRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// touches reports whether the ranges have a place in common; their ends count.
func (r textRange) touches(o textRange) bool {
	return !r.End.before(o.Start) && !o.End.before(r.Start)
}

type location struct {
	URI   string    `json:"uri"`
	Range textRange `json:"range"`
}

type diagnostic struct {
	Range    textRange     `json:"range"`
	Severity int           `json:"severity"`
	Code     string        `json:"code"`
	Source   string        `json:"source"`
	Message  string        `json:"message"`
	Related  []relatedInfo `json:"relatedInformation,omitempty"`
}

const severityWarning = 2

type relatedInfo struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

type publishParams struct {
	URI         string       `json:"uri"`
	Diagnostics []diagnostic `json:"diagnostics"` // not null: none clears the file
}

type codeActionParams struct {
	TextDocument textDocument `json:"textDocument"`
	Range        textRange    `json:"range"`
	Context      struct {
		Only []string `json:"only"`
	} `json:"context"`
}

type codeAction struct {
	Title       string        `json:"title"`
	Kind        string        `json:"kind"`
	Diagnostics []diagnostic  `json:"diagnostics"`
	Preferred   bool          `json:"isPreferred,omitempty"`
	Edit        workspaceEdit `json:"edit"`
}

const quickFix = "quickfix"

type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes"` // by URI
}

type textEdit struct {
	Range   textRange `json:"range"`
	NewText string    `json:"newText"`
}

type logParams struct {
	Type    int    `json:"type"`
	Message string `json:"message"`
}

const (
	logError   = 1
	logWarning = 2
	logInfo    = 3
)

type progressCreate struct {
	Token string `json:"token"`
}

type progressParams struct {
	Token string        `json:"token"`
	Value progressValue `json:"value"`
}

type progressValue struct {
	Kind    string `json:"kind"` // begin, report or end
	Title   string `json:"title,omitempty"`
	Message string `json:"message,omitempty"`
	Percent *int   `json:"percentage,omitempty"`
}
