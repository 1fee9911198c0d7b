package heap

// Drivers run library roots on data of their own, for the race check.

func Drive_L1_parameters() {
	jobs := make([]*job, n)
	for i := range jobs {
		jobs[i] = &job{next: &job{}}
	}
	L1_parameters(newBatch(), jobs)
}

func Drive_L2_parameterShared() { L2_parameterShared(newBatch(), make([]*job, n)) }

func Drive_FU1_fullBase() { FU1_fullBase(make([]int, 3, 10)) }

func Drive_FU2_baseWithRoom() { FU2_baseWithRoom(make([]int, 3, 10)) }
