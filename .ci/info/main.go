// Command info prints what package dispatch chose on this CPU, and why.
package main

import (
	"fmt"

	"github.com/lanes-go/lanes/dispatch"
)

func main() { fmt.Print(dispatch.Info()) }
