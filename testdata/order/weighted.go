package order

import (
	"context"
	"runtime"

	"golang.org/x/sync/semaphore"
)

// All of the weight is taken at the end, and nobody has any of it then.
func M1_wholeTaken() {
	ctx := context.Background()
	most := runtime.GOMAXPROCS(0)
	sem := semaphore.NewWeighted(int64(most))
	own := make([]int, n)
	for i := range own {
		if sem.Acquire(ctx, 1) != nil {
			break
		}
		go func() {
			defer sem.Release(1)
			own[i] = i // norace
		}()
	}
	_ = sem.Acquire(ctx, int64(most))
	for _, v := range own { // norace
		_ = v
	}
}

// Not all of it.
func M1b_partTaken() {
	ctx := context.Background()
	sem := semaphore.NewWeighted(4)
	own := make([]int, n)
	for i := range own {
		if sem.Acquire(ctx, 1) != nil {
			break
		}
		go func() {
			defer sem.Release(1)
			own[i] = i // race! own[*]
		}()
	}
	_ = sem.Acquire(ctx, 3)
	for _, v := range own { // race! own[*]
		_ = v
	}
}

// The goroutines take their part themselves, perhaps when it is too late.
func M1c_takenInside() {
	ctx := context.Background()
	sem := semaphore.NewWeighted(4)
	own := make([]int, n)
	for i := range own {
		go func() {
			if sem.Acquire(ctx, 1) == nil {
				own[i] = i // race! own[*]
				sem.Release(1)
			}
		}()
	}
	_ = sem.Acquire(ctx, 4)
	sem.Release(4)
	for _, v := range own { // race! own[*]
		_ = v
	}
}

// It is given back too early.
func M1d_releasedFirst() {
	ctx := context.Background()
	sem := semaphore.NewWeighted(4)
	own := make([]int, n)
	for i := range own {
		if sem.Acquire(ctx, 1) != nil {
			break
		}
		go func() {
			sem.Release(1)
			own[i] = i // race! own[*]
		}()
	}
	_ = sem.Acquire(ctx, 4)
	for _, v := range own { // race! own[*]
		_ = v
	}
}

// The context may be cancelled, and then nothing has been taken.
func M1e_mayFail() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	sem := semaphore.NewWeighted(4)
	own := make([]int, n)
	for i := range own {
		if sem.Acquire(ctx, 1) != nil {
			break
		}
		go func() {
			defer sem.Release(1)
			if i == 3 {
				cancel()
			}
			own[i] = i // race! own[*]
		}()
	}
	_ = sem.Acquire(ctx, 4)
	for _, v := range own { // race! own[*]
		_ = v
	}
}

func squares(ctx context.Context, own []int) ([]int, error) {
	sem := semaphore.NewWeighted(4)
	for i := range own {
		if err := sem.Acquire(ctx, 1); err != nil {
			return nil, err
		}
		go func() {
			defer sem.Release(1)
			own[i] = i * i
		}()
	}
	if err := sem.Acquire(ctx, 4); err != nil {
		return nil, err
	}
	return own, nil
}

// Who called looks at the results only where there was no error.
func M2_lookedAtIfTaken() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	own, err := squares(ctx, make([]int, n))
	if err != nil {
		return
	}
	for _, v := range own { // norace
		_ = v
	}
}

// Or whatever it was.
func M2b_lookedAtAnyway() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	own := make([]int, n)
	cubes := func() error {
		sem := semaphore.NewWeighted(4)
		for i := range own {
			if err := sem.Acquire(ctx, 1); err != nil {
				return err
			}
			go func() {
				defer sem.Release(1)
				if cancel(); i < 4 {
					own[i] = i * i * i // race! own[*]
				}
			}()
		}
		return sem.Acquire(ctx, 4)
	}
	if err := cubes(); err != nil {
		_ = own[0] // race! own[*]
	}
}

// fillWeighted is only called with a context that is never done.
func fillWeighted(ctx context.Context, own []int) ([]int, error) {
	sem := semaphore.NewWeighted(4)
	for i := range own {
		if err := sem.Acquire(ctx, 1); err != nil {
			return nil, err
		}
		go func() {
			defer sem.Release(1)
			own[i] = i // norace
		}()
	}
	if err := sem.Acquire(ctx, 4); err != nil {
		return nil, err
	}
	return own, nil
}

// It is always taken then, and whoever called may look at the results.
func M3_cannotFail() {
	own := make([]int, n)
	_, err := fillWeighted(context.Background(), own)
	println(own[0], err) // norace
}

func M3b_cannotFail() {
	own := make([]int, n)
	_, err := fillWeighted(context.TODO(), own)
	println(own[0], err) // norace
}

// Other packages may call FillWeighted with other contexts.
func FillWeighted(ctx context.Context, own []int) {
	sem := semaphore.NewWeighted(4)
	for i := range own {
		if sem.Acquire(ctx, 1) != nil {
			break
		}
		go func() {
			defer sem.Release(1)
			own[i] = i // race! own[*]
		}()
	}
	_ = sem.Acquire(ctx, 4)
	println(own[0]) // race! own[*]
}

func M3c_exported() { FillWeighted(context.Background(), make([]int, n)) }
