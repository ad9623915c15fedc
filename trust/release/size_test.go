package release

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSize: a program has the passes and the bodies of the operators that it calls, and no others. A gather
// adds at most so much to a program that has package fmt, as nearly all have, and to one that has nothing.
func TestSize(t *testing.T) {
	if testing.Short() {
		t.Skip("builds four programs")
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the limits are those of Linux on amd64")
	}
	const gather = `
	data := kernels.New([]float32{1, 2, 3, 4}, 2, 2)
	indices := kernels.New([]int32{1, 0}, 1, 2)
	dst := kernels.New(make([]float32, 2), 1, 2)
	if err := kernels.GatherElements(dst, data, indices, 0); err != nil {
		panic(err)
	}
`
	for _, c := range []struct {
		name, imports, print string
		most                 int64 // bytes
	}{
		{"with fmt", `import "fmt"; `, "fmt.Println", 1_105_000},
		{"with nothing", "", "println", 1_492_000},
	} {
		with := size(t, c.imports+`import "github.com/lanes-go/lanes/kernels"; func main() {`+gather+c.print+`(dst.Data[0]) }`)
		without := size(t, c.imports+`func main() { `+c.print+`("hello") }`)
		t.Logf("%s: a gather adds %d bytes to %d", c.name, with-without, without)
		require.LessOrEqual(t, with-without, c.most, c.name)
	}
}

// size returns the bytes of a program, as go build makes it.
func size(t *testing.T, program string) int64 {
	dir := t.TempDir()
	main, binary := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	require.NoError(t, os.WriteFile(main, []byte("package main\n\n"+program+"\n"), 0o644))
	place{env: os.Environ()}.run(t, ".", "go", "build", "-o", binary, main)
	info, err := os.Stat(binary)
	require.NoError(t, err)
	return info.Size()
}
