package order

func Drive_B26_madeInEitherBranch() { B26_madeInEitherBranch(3) }

func Drive_B26b_madeInOneBranch() { B26b_madeInOneBranch(3) }
