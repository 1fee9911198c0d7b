package lock

func Drive_EN1_given() { EN1_given(newFilled(3)) }
