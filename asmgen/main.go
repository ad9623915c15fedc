package main

import (
	. "github.com/mmcloughlin/avo/build"
)

func main() { TEXT("x", 1, "func()"); RET(); Generate() }
