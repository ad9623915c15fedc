package kernels_test

import (
	"fmt"

	"github.com/lanes-go/lanes/kernels"
)

func ExampleSliceScatter() {
	data := kernels.New([]int{
		0, 1, 2, 3,
		4, 5, 6, 7,
		8, 9, 10, 11,
	}, 3, 4)
	updates := kernels.New([]int{
		-1, -2,
		-3, -4,
	}, 2, 2)
	// data[::2, 1:3], in place: every second row, and the two columns in the middle.
	spec := kernels.SliceSpec{
		Begin: []int64{0, 1}, End: []int64{0, 3}, Strides: []int64{2, 1}, EndMask: []bool{true},
	}
	err := kernels.SliceScatter(data, data, updates, spec)
	fmt.Println(data.Data[:4], data.Data[4:8], data.Data[8:], err)
	// Output: [0 -1 -2 3] [4 5 6 7] [8 -3 -4 11] <nil>
}

// The same in the terms of OpenVINO: start, stop, step and axes.
func ExampleRanges_Spec() {
	data := kernels.New([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 2, 5)
	spec, err := kernels.Ranges{
		Starts: []int64{-25}, Ends: []int64{25}, Axes: []int64{1}, Steps: []int64{2},
	}.Spec(2)
	if err != nil {
		fmt.Println(err)
		return
	}
	dst := kernels.New(make([]int, 10), 2, 5)
	err = kernels.SliceScatter(dst, data, kernels.New([]int{10, 20, 30, 40, 50, 60}, 2, 3), spec)
	fmt.Println(dst.Data, err)
	// Output: [10 1 20 3 30 40 6 50 8 60] <nil>
}
