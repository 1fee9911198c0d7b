package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"testing"
)

// TestInterrupt: a process that is told to end while the loops are solved says how
// many were, and prints nothing else.
func TestInterrupt(t *testing.T) {
	if os.Getenv("ITERACE_TEST_INTERRUPT") != "" {
		in := watchInterrupts(os.Stderr, func() {})
		in.update("loops", 3, 7)
		p, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = p.Signal(os.Interrupt)
		}
		if err != nil {
			t.Fatal(err)
		}
		select {} // the watch ends the process
	}
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot interrupt itself")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestInterrupt$")
	cmd.Env = append(os.Environ(), "ITERACE_TEST_INTERRUPT=1")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitError {
		t.Errorf("ends with %v, want exit code %d", err, exitError)
	}
	if got, want := stderr.String(), "iterace: interrupted when 3 of 7 loops were done: nothing is reported\n"; got != want {
		t.Errorf("prints %q, want %q", got, want)
	}
	if stdout.Len() > 0 {
		t.Errorf("prints %q on standard output", stdout.String())
	}
}
