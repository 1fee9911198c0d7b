package lock

func Drive_EN1_given() { EN1_given(newFilled(3)) }

var someTexts = []string{"a\nb\nc", "a\nb", "longer than nine\nd"}

func someTrees() []*dirTree {
	return []*dirTree{{"a", []*dirTree{{"b", nil}, {"c", nil}}}, {"a", []*dirTree{{"b", nil}}}}
}

func Drive_RG1_linesUnderLock()       { RG1_linesUnderLock(someTexts) }
func Drive_RG1b_otherLinesUnderLock() { RG1b_otherLinesUnderLock(someTexts) }
func Drive_RG2_bothWays()             { RG2_bothWays(someTexts) }
func Drive_RG3_recursion()            { RG3_recursion(someTrees()) }
func Drive_RG3b_otherWalk()           { RG3b_otherWalk(someTrees()) }
func Drive_RG4_chosen()               { RG4_chosen(someTexts) }
func Drive_RG5_sorted()               { RG5_sorted([][]string{{"b", "a"}, {"d", "c"}}) }
