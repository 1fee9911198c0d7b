// Package paralleltests is a small calculator. What matters is its tests: they
// run in parallel, as subtests do that call t.Parallel, on fixtures that they
// share.
package paralleltests

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// An Env holds variables and counts how they are used. It is safe for
// concurrent use.
type Env struct {
	parent *Env

	mu   sync.RWMutex
	vars map[string]float64
	uses map[string]int
}

// NewEnv returns an environment that asks parent, which may be nil, for what
// it does not have itself.
func NewEnv(parent *Env) *Env {
	return &Env{parent: parent, vars: make(map[string]float64), uses: make(map[string]int)}
}

// Set gives a variable a value.
func (e *Env) Set(name string, v float64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.vars[name] = v
}

// Get returns the value of a variable.
func (e *Env) Get(name string) (float64, bool) {
	e.mu.Lock()
	v, ok := e.vars[name]
	if ok {
		e.uses[name]++
	}
	e.mu.Unlock()
	if !ok && e.parent != nil {
		return e.parent.Get(name)
	}
	return v, ok
}

// Uses returns how often a variable was read.
func (e *Env) Uses(name string) int {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.uses[name]
}

// Errors that evaluation may end in.
var (
	ErrSyntax = errors.New("syntax error")
	ErrDivide = errors.New("division by zero")
)

// A Parser reads an expression. It belongs to one goroutine.
type Parser struct {
	tokens []string
	next   int
}

// Parse makes an expression of text.
func Parse(text string) (*Expr, error) {
	p := &Parser{tokens: split(text)}
	x, err := p.sum()
	if err != nil {
		return nil, err
	}
	if p.next < len(p.tokens) {
		return nil, fmt.Errorf("%w: unexpected %q", ErrSyntax, p.tokens[p.next])
	}
	return x, nil
}

// split cuts text into numbers, names and operators.
func split(text string) []string {
	var tokens []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			tokens = append(tokens, word.String())
			word.Reset()
		}
	}
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			flush()
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '.':
			word.WriteRune(r)
		default:
			flush()
			tokens = append(tokens, string(r))
		}
	}
	flush()
	return tokens
}

// peek returns the token at hand, "" at the end.
func (p *Parser) peek() string {
	if p.next < len(p.tokens) {
		return p.tokens[p.next]
	}
	return ""
}

func (p *Parser) sum() (*Expr, error)     { return p.chain("+-", p.product) }
func (p *Parser) product() (*Expr, error) { return p.chain("*/", p.atom) }

// chain reads operands with operators between them.
func (p *Parser) chain(ops string, operand func() (*Expr, error)) (*Expr, error) {
	x, err := operand()
	for err == nil && p.peek() != "" && strings.Contains(ops, p.peek()) {
		op := p.peek()
		p.next++
		var y *Expr
		if y, err = operand(); err == nil {
			x = &Expr{op: op[0], left: x, right: y}
		}
	}
	return x, err
}

// atom reads a number, a name or an expression in parentheses.
func (p *Parser) atom() (*Expr, error) {
	tok := p.peek()
	p.next++
	switch {
	case tok == "(":
		x, err := p.sum()
		if err != nil {
			return nil, err
		}
		if p.peek() != ")" {
			return nil, fmt.Errorf("%w: ) is missing", ErrSyntax)
		}
		p.next++
		return x, nil
	case tok != "" && unicode.IsLetter(rune(tok[0])):
		return &Expr{name: tok}, nil
	}
	v, err := strconv.ParseFloat(tok, 64)
	if err != nil {
		return nil, fmt.Errorf("%w: %q is no number", ErrSyntax, tok)
	}
	return &Expr{value: v}, nil
}

// An Expr is an expression: an operator with two operands, a name, or a number.
type Expr struct {
	op          byte
	left, right *Expr
	name        string
	value       float64
}

// Eval computes x.
func (x *Expr) Eval(e *Env) (float64, error) {
	switch {
	case x.name != "":
		v, ok := e.Get(x.name)
		if !ok {
			return 0, fmt.Errorf("%s has no value", x.name)
		}
		return v, nil
	case x.op == 0:
		return x.value, nil
	}
	a, err := x.left.Eval(e)
	if err != nil {
		return 0, err
	}
	b, err := x.right.Eval(e)
	if err != nil {
		return 0, err
	}
	switch x.op {
	case '+':
		return a + b, nil
	case '-':
		return a - b, nil
	case '*':
		return a * b, nil
	}
	if b == 0 {
		return 0, ErrDivide
	}
	return a / b, nil
}
