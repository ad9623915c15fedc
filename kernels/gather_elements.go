package kernels

func GatherElements[T any, I Index](dst, data Tensor[T], indices Tensor[I], axis int, opts ...Option) error {
	panic("pending")
}

func GatherElementsShape(data, indices []int, axis int) ([]int, error) { panic("pending") }
