package order

func Drive_B26_madeInEitherBranch() { B26_madeInEitherBranch(3) }

func Drive_B26b_madeInOneBranch() { B26b_madeInOneBranch(3) }

func Drive_WT5_deferredClosure() { WT5_deferredClosure([][]int{make([]int, n), make([]int, n)}) }

func Drive_WT6_closureTooEarly() { WT6_closureTooEarly([][]int{make([]int, n), make([]int, n)}) }
