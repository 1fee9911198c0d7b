package order

import (
	"errors"
	"fmt"
	"time"
)

// Programs in which something is done between a call and the test of what it has returned.

// YT1: whether all has ended is looked at later.
func YT1_later() {
	x := 0
	err := ytRun(func() { x++ }) // norace
	fmt.Println("stopped")
	time.Sleep(time.Millisecond)
	if err != nil {
		return
	}
	fmt.Println(x) // norace
}

func ytRun(f func()) error {
	done := make(chan bool)
	go func() {
		f()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-time.After(time.Second):
		return errors.New("late")
	}
}

// YT2: what is looked at is the outcome of another call.
func YT2_another() {
	x := 0
	err := ytRun2(func() { x++ }) // race! x
	other := ytPrint()
	if err == nil && other == nil {
		fmt.Println("stopped")
	}
	if other != nil {
		return
	}
	fmt.Println(x) // race! x
}

func ytPrint() error {
	_, err := fmt.Println("printed")
	return err
}

func ytRun2(f func()) error {
	done := make(chan bool)
	go func() {
		f()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-time.After(time.Second):
		return errors.New("late")
	}
}

// YT3: in each round another call is made, and only the last one has told.
func YT3_rounds() {
	x := 0
	for range 3 {
		err := ytRun3(func() { x++ }) // race! x
		fmt.Println("round")
		if err == nil {
			fmt.Println(x) // race! x
		}
	}
}

func ytRun3(f func()) error {
	done := make(chan bool)
	go func() {
		f()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-time.After(time.Second):
		return errors.New("late")
	}
}

// YT4: the test is the other way round.
func YT4_wrongWay() {
	x := 0
	err := ytRun4(func() { x++ }) // race! x
	fmt.Println("stopped")
	if err == nil {
		return
	}
	fmt.Println(x) // race! x
}

func ytRun4(f func()) error {
	done := make(chan bool)
	go func() {
		f()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-time.After(time.Second):
		return errors.New("late")
	}
}
