package kernels

func GatherND[T any, I Index](dst, data Tensor[T], indices Tensor[I], batchDims int, opts ...Option) error {
	panic("pending")
}

func GatherNDShape(data, indices []int, batchDims int) ([]int, error) { panic("pending") }
