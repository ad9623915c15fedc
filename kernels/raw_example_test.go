package kernels_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"runtime/pprof"

	"github.com/lanes-go/lanes/kernels"
)

// The types of tensors that come from a file are known when it is read.
func ExampleRaw() {
	var data, indices []byte // as they may lie in a file, in this machine's byte order
	for _, v := range []float32{0.5, 1.5, 2.5, 3.5, 4.5, 5.5} {
		data = binary.NativeEndian.AppendUint32(data, math.Float32bits(v))
	}
	for _, v := range []int32{2, -3, 1, 1} {
		indices = binary.NativeEndian.AppendUint32(indices, uint32(v))
	}
	elem, err := kernels.ParseDType("float")
	if err != nil {
		fmt.Println(err)
		return
	}

	dst := kernels.Raw{Type: elem, Data: make([]byte, 4*elem.Size()), Shape: []int{2, 2}}
	err = kernels.GatherElementsRaw(dst,
		kernels.Raw{Type: elem, Data: data, Shape: []int{2, 3}},
		kernels.Raw{Type: kernels.DTypeInt32, Data: indices, Shape: []int{2, 2}}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for b := dst.Data; len(b) > 0; b = b[elem.Size():] {
		fmt.Println(math.Float32frombits(binary.NativeEndian.Uint32(b)))
	}
	// Output:
	// 2.5
	// 0.5
	// 4.5
	// 4.5
}

// A typed tensor is a Raw as well, over the same memory.
func ExampleRawOf() {
	words := []string{"to", "be", "or", "not"}
	data, err := kernels.RawOf(kernels.New(words, 4))
	if err != nil {
		fmt.Println(err)
		return
	}
	indices, err := kernels.RawOf(kernels.New([]int64{2, 3, 0, 1}, 4, 1))
	if err != nil {
		fmt.Println(err)
		return
	}
	dst := kernels.Raw{Type: data.Type, Strings: make([]string, 4), Shape: []int{4}}
	fmt.Println(kernels.GatherNDRaw(dst, data, indices, 0))
	fmt.Println(data.Type, dst.Strings)

	data.Type = kernels.DTypeFloat32
	fmt.Println(kernels.GatherNDRaw(dst, data, indices, 0))
	// Output:
	// <nil>
	// string [or not to be]
	// kernels: GatherND: element type string: dst has it, data has float
}

func ExampleSliceViewRaw() {
	data, err := kernels.RawOf(kernels.New([]uint8{
		1, 2, 3,
		4, 5, 6,
	}, 2, 3))
	if err != nil {
		fmt.Println(err)
		return
	}
	column, err := kernels.SliceViewRaw(data, kernels.SliceSpec{
		Begin: []int64{0, -1}, End: []int64{2, 0}, ShrinkAxisMask: []bool{false, true}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(column.Type, column.Shape, column.Strides, column.Offset)
	// Output: uint8 [2] [3] 2
}

// An output of a type that is known while the program runs, and its numbers.
func ExampleNewRaw() {
	elem, err := kernels.ParseDType("float32")
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := kernels.RawOf(kernels.New([]float32{1, 2, 3, 4, 5, 6}, 2, 3))
	if err != nil {
		fmt.Println(err)
		return
	}
	dst, err := kernels.NewRaw(elem, 2, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	err = kernels.SliceRaw(dst, data, kernels.Ranges{Starts: []int64{2}, Ends: []int64{3}, Axes: []int64{1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	numbers, err := kernels.TensorOf[float32](dst)
	fmt.Println(numbers.Shape, numbers.Data, err)
	// Output: [2 1] [3 6] <nil>
}

// The memory is the same; another type is an error.
func ExampleTensorOf() {
	r, err := kernels.NewRaw(kernels.DTypeInt32, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := kernels.TensorOf[int32](r)
	if err != nil {
		fmt.Println(err)
		return
	}
	t.Data[1] = -1
	fmt.Println(r.Data)
	_, err = kernels.TensorOf[float32](r)
	fmt.Println(err)
	// Output:
	// [0 0 0 0 255 255 255 255 0 0 0 0]
	// kernels: TensorOf: element type float32: the Raw has int32, and it is float
}

// How much memory a tensor takes, before anything is allocated.
func ExampleDType_Bytes() {
	bytes, err := kernels.DTypeFloat16.Bytes(8, 32, 4096, 128)
	fmt.Println(bytes, err)
	_, err = kernels.DTypeFloat16.Bytes(1<<20, 1<<20, 1<<20, 1<<20)
	fmt.Println(err)
	// Output:
	// 268435456 <nil>
	// kernels: Bytes: Data of shape [1048576 1048576 1048576 1048576]: has more elements than an int can count
}

// What a call did, and how long that took.
func ExampleObserve() {
	table := kernels.New(make([]float32, 100*64), 100, 64)
	rows := kernels.New([]int64{7, 0, 99, 7}, 4, 1)
	dst := kernels.New(make([]float32, 4*64), 4, 64)
	err := kernels.GatherND(dst, table, rows, 0, kernels.Observe(func(f kernels.Facts) {
		fmt.Printf("%s: %s of %d elements, %d bytes, workers: %d\n", f.Op, f.Kernel, f.Elements, f.Bytes, f.Workers)
		// f.Level is the instruction set, f.Duration the time.
	}))
	fmt.Println(err)
	// Output:
	// GatherND: gather rows of 256 elements, 1024 bytes, workers: 1
	// <nil>
}

// In a CPU profile, the time of this call has the labels layer=embedding,
// op=GatherND and kernel=gather rows.
func ExampleLabels() {
	table := kernels.New(make([]float32, 100*64), 100, 64)
	rows := kernels.New([]int64{7, 0, 99, 7}, 4, 1)
	dst := kernels.New(make([]float32, 4*64), 4, 64)
	pprof.Do(context.Background(), pprof.Labels("layer", "embedding"), func(ctx context.Context) {
		fmt.Println(kernels.GatherND(dst, table, rows, 0, kernels.Labels(ctx)))
	})
	// Output: <nil>
}
