package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/iterace/iterace/analyzer"
)

// options are the flags as given.
type options struct {
	dir, tags, mod string
	test           bool
	json, sarif    bool
	all            bool
	skipGenerated  bool
	timeout        time.Duration
	why            string
	stats          bool
	disable        []string
	baseline       string
	writeBaseline  string
	models         []string
	cache          string
	debug          []string
	aids           []*debugAid // what debug names

	schema, version, debugHelp bool

	patterns []string
}

// parseFlags reads the command line. Usage errors name the flag; flag.ErrHelp
// asks for the manual.
func parseFlags(args []string) (*options, error) {
	o, err := newOptions()
	if err != nil {
		return nil, err
	}
	fs := newFlagSet(o)
	fs.SetOutput(io.Discard) // the caller prints the error, and the manual
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	o.patterns = fs.Args()
	if o.debugHelp = slices.Contains(o.debug, "help"); o.debugHelp {
		return o, nil
	}
	for _, name := range o.debug {
		aid, err := findDebugAid(name)
		if err != nil {
			return nil, err
		}
		o.aids = append(o.aids, aid)
	}
	return o, o.check()
}

// newOptions returns the options without flags.
func newOptions() (*options, error) {
	models, err := envModels()
	return &options{models: models}, err
}

// newFlagSet defines the flags. Their usage texts are in doc.go.
func newFlagSet(o *options) *flag.FlagSet {
	fs := flag.NewFlagSet("iterace", flag.ContinueOnError)
	loadFlags(fs, o)
	fs.BoolVar(&o.json, "json", false, "")
	fs.BoolVar(&o.sarif, "sarif", false, "")
	fs.BoolVar(&o.all, "all", false, "")
	fs.BoolVar(&o.skipGenerated, "skip-generated", false, "")
	fs.StringVar(&o.why, "why", "", "")
	fs.BoolVar(&o.stats, "stats", false, "")
	fs.DurationVar(&o.timeout, "timeout", 0, "")
	fs.StringVar(&o.baseline, "baseline", "", "")
	fs.StringVar(&o.writeBaseline, "write-baseline", "", "")
	fs.Func("disable", "", appendList(&o.disable))
	fs.Func("debug", "", appendList(&o.debug))
	o.cache = analyzer.SideCacheDir()
	fs.Func("cache", "", func(s string) error {
		if o.cache = s; s == analyzer.NoCache {
			o.cache = ""
		}
		return nil
	})
	fs.BoolVar(&o.schema, "schema", false, "")
	fs.BoolVar(&o.version, "version", false, "")
	return fs
}

// loadFlags defines the flags that say which code and which models to read.
func loadFlags(fs *flag.FlagSet, o *options) {
	fs.StringVar(&o.dir, "C", "", "")
	fs.StringVar(&o.tags, "tags", "", "")
	fs.StringVar(&o.mod, "mod", "", "")
	fs.BoolVar(&o.test, "test", false, "")
	fs.Func("model", "", func(s string) error {
		o.models = append(o.models, s)
		return nil
	})
}

// appendList returns a flag function that adds the names of a comma-separated
// list. An empty name is a slip of the pen and worth an error.
func appendList(to *[]string) func(string) error {
	return func(s string) error {
		for name := range strings.SplitSeq(s, ",") {
			name = strings.TrimSpace(name)
			if name == "" {
				return errors.New("empty name in list")
			}
			*to = append(*to, name)
		}
		return nil
	}
}

// check rejects flags that contradict each other.
func (o *options) check() error {
	switch {
	case o.timeout < 0:
		return fmt.Errorf("-timeout %v is no time", o.timeout)
	case o.json && o.sarif:
		return errors.New("-json and -sarif exclude each other")
	case o.writeBaseline != "" && (o.json || o.sarif || o.why != ""):
		return errors.New("-write-baseline prints no report: it excludes -json, -sarif and -why")
	case o.why != "" && (o.json || o.sarif):
		return errors.New("-why is for people: it excludes -json and -sarif")
	}
	for _, p := range o.patterns {
		// The flag package stops at the first package; what looks like a flag
		// after it would be taken for a package by the go command.
		if strings.HasPrefix(p, "-") {
			return fmt.Errorf("flag %s after packages", p)
		}
	}
	return nil
}

// config returns what the analysis is to do.
func (o *options) config() *analyzer.Config {
	cfg := &analyzer.Config{
		Patterns:   o.patterns,
		Tests:      o.test,
		Disable:    o.disable,
		ModelFiles: o.models,
		Sure:       !o.all,
		Cache:      o.cache,
		Answers:    !o.stats, // which are of an analysis

		SkipGenerated: o.skipGenerated,
		Timeout:       o.timeout,
	}
	if o.tags != "" {
		cfg.BuildFlags = append(cfg.BuildFlags, "-tags="+o.tags)
	}
	if o.mod != "" {
		cfg.BuildFlags = append(cfg.BuildFlags, "-mod="+o.mod)
	}
	for _, aid := range o.aids {
		aid.set(cfg)
	}
	return cfg
}
