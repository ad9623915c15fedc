//go:build !linux

package kernels

func processor() int     { return -1 }
func leaveProcessor(int) {}
