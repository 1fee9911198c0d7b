/*
Iterace reports data races between the iterations of parallel loops in Go code.

Usage:

	iterace [flags] [packages]
	iterace model list|check|explain|unknown [flags] [arguments]
	iterace lsp
	iterace gopls -o file

It reads the code of the packages (the current directory if none are named),
follows what the goroutines started in loops, by parallel operators such as
errgroup.Group.Go, and by single go statements may touch at the same time, and
prints the memory that two of them touch without order, one writing. It runs
nothing, needs no tests and no annotations.

	iterace ./...

A race is reported as a race set: one field of one shared object, with the
accesses of one iteration and those of any other iteration (or of the code that
runs beside the loop), the calls that lead to each, the locks held there, and
why nothing orders them. Its confidence is

	definite  nothing in it is unproved
	likely    an access, or which object it touches, is uncertain, or something
	          may order the accesses, though it is not known to do so
	assumed   code that is not analysed was assumed to behave; hidden by default

What iterace does not see is listed in doc/soundness.md of its repository, with
numbers (S1, S2, ...) that reports and notices cite.

# Flags

What is analysed:

	-test        analyse test files too
	-C dir       change to dir first, as the go command does
	-tags list   build tags, as for go build
	-mod mode    module download mode, as for go build
	-model file  read a library model, after the shipped one and the module's
	             own .iterace.toml; may be repeated

GOFLAGS and the other variables of the go command hold as they do for go build.
ITERACE_MODEL lists further model files, by absolute names, which are read before
those of -model.

What is printed:

	-json        one JSON document, see below
	-sarif       a SARIF 2.1.0 log
	-all         show races that rest on an assumption too, and the notices
	-skip-generated
	             leave out race sets that lie in generated files altogether
	-baseline file
	             leave out the race sets that the file lists, see below
	-write-baseline file
	             write the race sets that are there to the file, instead of a
	             report
	-why n       explain race set n of the report (or the one with this id, or
	             whose id alone begins so, with four letters or more, or all):
	             each pair, with the calls that lead to it from the loop, where
	             the object comes from, and the locks
	-stats       print time and memory of each phase, and the races that go in
	             and come out of each stage, on standard error
	-schema      print the JSON schema of -json
	-version     print the version
	-h           print this manual

How it is analysed:

	-timeout d       begin with no further parallel loop once so much time has
	                 passed, as 10m: what was found is reported, how many loops
	                 were left is said on standard error, and the exit code is 1.
	                 0, the default, is for as long as it takes
	-disable stages  leave out stages, by name, separated by commas; an unknown
	                 name lists them
	-debug names     debug aids; -debug=help lists them
	-cache dir       keep what packages outside the application do, and what was
	                 found, in dir, or with -cache=off nowhere; it saves time,
	                 and makes no difference to what is printed

Without -cache it is the directory that ITERACE_CACHE names, or iterace in the
user's cache directory. It takes at most a gigabyte, may be used by several
processes at once, and may be removed at any time. Who asks again when no file has
changed, for the report in another form or for -why, has the answer at once, but with
-stats, which is about an analysis.

# Exit codes

	0  no races were found, or only suppressed ones
	1  something went wrong: a flag, a pattern, code that does not load or
	   type-check. What does load is analysed and reported all the same.
	   An analysis that is interrupted says how far it came, and reports nothing.
	3  races were found

Errors go to standard error, one on a line, as file:line:col: message.

# Under go vet

	go vet -vettool=$(which iterace) ./...

analyses one package at a time, test files included, with facts about others that
go vet keeps in the build cache, and reports each race set at one of its accesses
in the package, or at the loop, or at a call that leads to an access or gives
another package's loop its body. Flags are then go vet's own (-json, -tags), and

	-iterace.all             show races that rest on an assumption too, and the
	                         notices
	-iterace.skip-generated  as -skip-generated
	-iterace.lost            tell if what was kept of another package is gone, and
	                         could matter; true unless set to false

There is no -model: go vet keeps results by what is in flags, and would not see
the file change. What ITERACE_MODEL names and each module's own .iterace.toml do
count. .iterace.toml is about calls in its module here: what it says of calls
that a dependency makes, ITERACE_MODEL says too.

	go vet -vettool=$(which iterace) -fix ./...
	go fix -fixtool=$(which iterace) ./...

apply the first fix of each race set that has any; -diff shows them.

What only the whole program shows is not found: two parameters that are the same
object, a function value that another package passes.

# In an editor

	iterace lsp

is a language server on standard input and output, to run beside gopls: when a
Go file is saved, it analyses the program as iterace ./... does, in the folders
that are open, and shows race sets as warnings, with quick fixes where one is
safe by itself. doc/editors.md in the repository of iterace has the setup of
editors. initializationOptions may have

	{
	  "tests":    true to analyse test files too
	  "tags":     build tags
	  "all":      true to show races that rest on an assumption too
	  "patterns": ["./..."], the packages
	}

While code does not compile, what was found before stays; the client's log has the
reason. The exit code is 0 after shutdown and exit, 1 after any other end.

	iterace gopls -o file

builds a gopls that has the analyzer in it and shows, while one types, what go vet
would: it looks at one package at a time. It downloads gopls and what that needs;
with -version v it takes another version of gopls than the one it was tested with,
and with -source dir the code of iterace from a directory. What ITERACE_MODEL
names counts; when a model file changes, gopls has to be started again, and shows
the change in packages that it analyses again.

# Suppression

What is not to be reported is said in one of three places:

	//iterace:ignore reason    a comment, at the end of a line or alone above it:
	                           for races with an access on the line, for those of
	                           the loop or goroutine that starts there, for the
	                           variable, field or type that is declared there;
	                           above a function, for the accesses in it
	[[ignore]]                 a table in a model file, with the object (the full
	                           name of a package-level variable or type), the
	                           field, or both, and the reason
	-baseline file             the race sets that were there when -write-baseline
	                           wrote the file, by ids that outlive shifting lines

A reason is required. Comments without one, comments and tables that suppress
nothing, and lines of the baseline that do not occur any more are notices, which
are printed with -all or without.

# JSON

With -json, iterace prints one document. -schema prints its JSON schema, which
says what each key means; in short:

	{
	  "version":     of iterace
	  "module":      path of the analysed module
	  "races": [{                   one race set
	    "id":          stays the same when lines shift
	    "confidence":  "definite", "likely" or "assumed"
	    "message":     the race in one sentence
	    "loop":   {"pos": POS, "kind": "wg.Go", "form": "range slice",
	               "spawn": POS, "function", "single": bool}
	    "object": {"kind": "var", "type", "pos": POS, "name", "many": bool}
	    "also":  [OBJECT],          others that the same accesses may touch
	    "field":       path inside the object, such as ".x" or "[*]"
	    "alpha": [{                 accesses of one iteration
	      "pos": POS, "kind": "read" or "write", "atomic": bool,
	      "thread": "alpha", "beta" or "main", "function",
	      "path":  [{"function", "call": POS}],     calls from the body on
	      "locks": [{"name", "mode": "write" or "read", "pos": POS, "note"}]
	    }],
	    "beta":  [...],             accesses of any other, or of code beside
	    "pairs": [{"a": POS, "b": POS, "kind": "ww" or "rw", "confidence",
	               "assumes": ["S7"], "other": LOOP of b, if another}],
	    "locks": [...],             held, but not protecting
	    "why":   ["..."],           what each stage had to say of the surest pairs
	    "deep":  [{"object", "field", "a": ACCESS, "b": ACCESS}]
	  }],                           accesses inside library code behind it
	  "hidden":      number of race sets, at least, that -all would add
	  "suppressed": [{"id", "confidence", "message",
	    "by":        "comment", "model", "baseline" or "generated"
	    "reason",
	    "pos":       POS of the comment, table or line }],
	  "notices": [{"pos": POS, "code": "S4", "message"}],
	  "errors":  [{"pos": POS, "package", "message"}]
	}

A POS is {"file", "line", "col"}. File names are relative to the root of the
module and use slashes; files outside it have absolute names. Columns count
bytes, from 1. The same code gives the same bytes on every run.

# Library models

What iterace does not analyse it knows from models: TOML files that say which
functions are thread-safe, which start goroutines, which lock. Entries for a
module's own helpers and dependencies go into .iterace.toml beside its go.mod,
or into a file named with -model. doc/model.md in the repository of iterace has
the form.

	iterace model list [packages]
		lists the entries, all or those of the packages
	iterace model explain names
		says what is known of functions, methods, types or packages, from which
		file, and on which documentation that rests
	iterace model check [files]
		reads the module's file, those of -model and the named ones, and reports
		what is wrong with them, functions that their package does not have too
	iterace model unknown [packages]
		lists the library calls in parallel bodies of which nothing is known and
		whose body is not analysed, the most frequent first, as entries to fill
		in, and the share of the others

Their exit code is 0, or 1 if something is wrong or, for explain, not known. They
take the flags that say what is analysed.
*/
package main
