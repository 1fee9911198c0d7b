package library

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
)

// What a command prints is copied by goroutines that package os/exec starts for it, and that Wait waits for.

// The output is looked at while the command runs.
func CM1_whileItRuns() {
	var out bytes.Buffer
	cmd := exec.Command("echo", "x")
	cmd.Stdout = &out
	if cmd.Start() != nil { // race! out
		return
	}
	_ = out.String() // race! out
	cmd.Wait()
}

// It is looked at afterwards.
func CM2_afterWait() {
	var out bytes.Buffer
	cmd := exec.Command("echo", "x")
	cmd.Stdout = &out
	if cmd.Start() != nil { // norace
		return
	}
	cmd.Wait()
	_ = out.String() // norace
}

// Where the command has not started, nothing copies.
func CM3_notStarted() string {
	var errs bytes.Buffer
	cmd := exec.Command("echo", "x")
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil { // norace
		return err.Error() + errs.String() // norace
	}
	if err := cmd.Wait(); err != nil {
		return errs.String() // norace
	}
	return ""
}

// Where it has, and something else fails.
func CM4_startedThough(ready func() error) string {
	var errs bytes.Buffer
	cmd := exec.Command("echo", "x")
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil { // race! errs
		return err.Error()
	}
	if err := ready(); err != nil {
		return err.Error() + errs.String() // race! errs
	}
	cmd.Wait()
	return ""
}

// Run waits.
func CM5_run() {
	var out, errs bytes.Buffer
	cmd := exec.Command("echo", "x")
	cmd.Stdout, cmd.Stderr = &out, &errs
	if cmd.Run() != nil {
		_ = errs.String() // norace
	}
	_ = out.String() // norace
}

// Both outputs go to one writer: one goroutine copies both.
func CM6_oneWriter() {
	var all bytes.Buffer
	cmd := exec.Command("echo", "x")
	cmd.Stdout = &all
	cmd.Stderr = &all
	if cmd.Start() != nil { // norace
		return
	}
	cmd.Wait()
	_ = all.String() // norace
}

// Whether the process is over says nothing of who copies.
func CM7_waitsForProcess() {
	var out bytes.Buffer
	cmd := exec.Command("echo", "x")
	cmd.Stdout = &out
	if cmd.Start() != nil { // race! out
		return
	}
	cmd.Process.Wait()
	_ = out.String() // race! out
}

type linesOf struct {
	mu    sync.Mutex
	lines []string
	bytes int
}

func (s *linesOf) Write(p []byte) (int, error) {
	s.mu.Lock()
	s.lines = append(s.lines, string(p)) // norace
	s.mu.Unlock()
	s.bytes += len(p) // race! s.bytes
	return len(p), nil
}

// An own writer, with a lock for one of its fields.
func CM8_ownWriter() {
	s := &linesOf{}
	cmd := exec.Command("echo", "x")
	cmd.Stdout = s
	if cmd.Start() != nil {
		return
	}
	s.mu.Lock()
	_ = len(s.lines) // norace
	s.mu.Unlock()
	_ = s.bytes // race! s.bytes
	cmd.Wait()
}

type printer struct{ cmd *exec.Cmd }

func newPrinter(out *bytes.Buffer) *printer {
	p := &printer{cmd: exec.Command("echo", "x")}
	p.cmd.Stdout = out
	return p
}

func (p *printer) start() error { return p.cmd.Start() } // race! said

func (p *printer) wait() error { return p.cmd.Wait() }

// The command lies in a field, and is started and waited for by methods.
func CM9_inField() {
	var out bytes.Buffer
	p := newPrinter(&out)
	if p.start() != nil {
		return
	}
	p.wait()
	_ = out.String() // norace
}

// Nobody waits.
func CM9b_notWaitedFor() {
	var said bytes.Buffer
	p := newPrinter(&said)
	if p.start() != nil {
		return
	}
	_ = said.String() // race! said
}

// A goroutine waits, and tells.
func CM10_told() string {
	var out bytes.Buffer
	cmd := exec.Command("echo", "x")
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil { // norace
		return ""
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	<-done
	return out.String() // norace
}

// Somebody gives up waiting for it.
func CM10b_givenUp(stop chan bool) string {
	var out bytes.Buffer
	cmd := exec.Command("echo", "x")
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil { // race! out
		return ""
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case <-done:
		return ""
	case <-stop:
		return out.String() // race! out
	}
}

// The input is read by a goroutine, too.
func CM11_input() {
	in := strings.NewReader("x")
	cmd := exec.Command("cat")
	cmd.Stdin = in
	if cmd.Start() != nil { // race! in
		return
	}
	_ = in.Len() // race! in
	cmd.Wait()
}

// Files are given to the process.
func CM12_files() {
	cmd := exec.Command("cat")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if cmd.Start() != nil { // norace
		return
	}
	os.Stdout.WriteString("x") // norace
	cmd.Wait()
}

// The error is a result that a deferred function looks at.
func CM13_namedError() (err error) {
	var errs bytes.Buffer
	defer func() {
		if err != nil {
			err = errors.New(errs.String()) // norace
		}
	}()
	cmd := exec.Command("echo", "x")
	cmd.Stderr = io.MultiWriter(&errs)
	if err = cmd.Start(); err != nil { // norace
		return err
	}
	return cmd.Wait()
}

// The writer is taken out again, and the output is read from a pipe.
func CM15_takenOut(out *bytes.Buffer) error {
	cmd := exec.Command("echo", "x")
	cmd.Stdout = out
	return copies(cmd, out)
}

func copies(cmd *exec.Cmd, out *bytes.Buffer) error {
	to := cmd.Stdout
	cmd.Stdout = nil
	from, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	err = cmd.Start() // norace
	if to == nil {
		return errors.New(out.String()) // norace
	}
	if err != nil {
		return err
	}
	io.Copy(to, from)
	return cmd.Wait()
}

// Who is told to stop looks for the process.
func CM14_process(stop chan bool) {
	cmd := exec.Command("sleep", "1")
	go func() {
		<-stop
		if cmd.Process != nil { // race! cmd.Process
			cmd.Process.Kill() // race! cmd.Process
		}
		_ = cmd.Path // norace
	}()
	cmd.Run() // race! cmd.Process
}
