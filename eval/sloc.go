package main

import (
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"slices"

	"golang.org/x/tools/go/packages"
)

// sloc counts the lines of a subject that have code on them: of the main
// module, and of the library packages that it needs.
func (s *site) sloc() (app, lib int, err error) {
	pkgs, err := packages.Load(&packages.Config{
		Mode:  packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule,
		Dir:   s.dir,
		Env:   s.environ(),
		Tests: s.tests,
	}, s.patterns...)
	if err != nil {
		return 0, 0, err
	}
	seen := make(map[string]bool)
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		own := p.Module != nil && p.Module.Main || slices.Contains(pkgs, p)
		for _, name := range p.GoFiles {
			if seen[name] || err != nil {
				continue
			}
			seen[name] = true
			var n int
			if n, err = codeLines(name); own {
				app += n
			} else {
				lib += n
			}
		}
	})
	if err != nil {
		return 0, 0, fmt.Errorf("counting lines: %w", err)
	}
	return app, lib, nil
}

// codeLines counts the lines of a file that have a token on them.
func codeLines(name string) (int, error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	fset := token.NewFileSet()
	file := fset.AddFile(name, -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	n, last := 0, 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return n, nil
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue // the scanner's own
		}
		first := file.Line(pos)
		end := first
		for _, c := range lit { // a raw string has many lines
			if c == '\n' {
				end++
			}
		}
		n += max(0, end-max(first-1, last))
		last = max(last, end)
	}
}
