package order

import "context"

func Drive_B26_madeInEitherBranch() { B26_madeInEitherBranch(3) }

func Drive_B26b_madeInOneBranch() { B26b_madeInOneBranch(3) }

func Drive_WT5_deferredClosure() { WT5_deferredClosure([][]int{make([]int, n), make([]int, n)}) }

func Drive_WT6_closureTooEarly() { WT6_closureTooEarly([][]int{make([]int, n), make([]int, n)}) }

func Drive_AW3_lockedOrDone() { AW3_lockedOrDone(context.Background()) }

func Drive_AW3b_anotherContext() { AW3b_anotherContext(context.Background(), ended()) }

func Drive_AW3c_notDone() { AW3c_notDone(context.Background()) }

func Drive_AW3d_askedBefore() {
	ctx, end := context.WithCancel(context.Background())
	go end()
	AW3d_askedBefore(ctx)
}

func Drive_AW3e_goesOn() {
	ctx, end := context.WithTimeout(context.Background(), 1)
	defer end()
	AW3e_goesOn(ctx)
}

func Drive_AW3f_ownErr() { AW3f_ownErr(ended()) }

func ended() context.Context {
	ctx, end := context.WithCancel(context.Background())
	end()
	return ctx
}

func Drive_AW5e_together() { AW5e_together(2) }
