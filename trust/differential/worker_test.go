package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/trust/calls"
)

// modeVariable makes this program a worker, whose answer to each call is data
// itself, with a fault.
const modeVariable = "LANES_TEST_WORKER"

func TestMain(m *testing.M) {
	if mode := os.Getenv(modeVariable); mode != "" {
		serve(mode)
		return
	}
	os.Exit(m.Run())
}

func serve(mode string) {
	hello := reply{Version: "1"}
	if mode == "nameless" {
		hello.Version = ""
	}
	writeFrame(os.Stdout, hello, nil)
	in := bufio.NewReader(os.Stdin)
	for {
		var q request
		payload, err := readFrame(in, &q)
		if err != nil {
			return
		}
		for i, c := range q.Cases {
			if mode == "weak" && i == 2 || mode == "mortal" && c.Data[0]%3 == 0 {
				fmt.Fprintln(os.Stderr, "last words")
				os.Exit(3)
			}
			n := calls.Tensor{Shape: c.Data}.Count() * calls.Size(q.Type)
			var b bytes.Buffer
			writeFrame(&b, reply{Shape: c.Data}, payload[:n])
			if mode == "cut short" {
				b.Truncate(b.Len() - 1)
			}
			if mode == "no text" {
				copy(b.Bytes()[4:], "!!!!")
			}
			io.Copy(os.Stdout, &b)
			if mode == "cut short" {
				return
			}
			payload = payload[n:]
		}
	}
}

func fakeWorker(t *testing.T, mode string) *worker {
	t.Setenv(modeVariable, mode)
	program, err := os.Executable()
	require.NoError(t, err)
	w, err := startWorker([]string{program})
	require.NoError(t, err)
	t.Cleanup(w.close)
	return w
}

// bytesOf is calls with data of one, two, … elements.
func bytesOf(n int) (group []*calls.Call) {
	for i := range n {
		group = append(group, &calls.Call{Op: calls.StridedSlice, Data: calls.Tensor{Type: kernels.DTypeUint8, Shape: []int{i + 1}, Data: bytes.Repeat([]byte{byte(i)}, i+1)}})
	}
	return group
}

func TestWorker(t *testing.T) {
	w := fakeWorker(t, "honest")
	require.Equal(t, "1", w.version)
	for range 2 {
		group := bytesOf(5)
		outcomes, err := w.answer(group)
		require.NoError(t, err)
		require.Len(t, outcomes, 5)
		for i, o := range outcomes {
			require.Equal(t, outcome{result: group[i].Data}, o)
		}
	}
}

// A worker that dies is started again, and goes on; at a call that ends it twice
// it goes on with the next.
func TestWorkerThatDies(t *testing.T) {
	for _, mode := range []string{"mortal", "weak"} {
		w := fakeWorker(t, mode)
		for range 2 {
			group := bytesOf(8)
			outcomes, err := w.answer(group)
			require.NoError(t, err)
			require.Len(t, outcomes, 8)
			for i, o := range outcomes {
				require.Equal(t, mode == "mortal" && i%3 == 2, o.crashed, "%s %d", mode, i)
				if o.crashed {
					require.Contains(t, o.err, "last words")
				} else {
					require.Equal(t, group[i].Data, o.result)
				}
			}
		}
		require.Equal(t, map[string]int{"mortal": 8, "weak": 6}[mode], w.restarts, mode)
	}
}

// What is not a whole answer is a crash, and never a result.
func TestWorkerThatIsBroken(t *testing.T) {
	for _, mode := range []string{"cut short", "no text"} {
		outcomes, err := fakeWorker(t, mode).answer(bytesOf(2))
		require.NoError(t, err)
		require.Len(t, outcomes, 2)
		for _, o := range outcomes {
			require.True(t, o.crashed, mode)
		}
	}
	t.Setenv(modeVariable, "nameless")
	program, err := os.Executable()
	require.NoError(t, err)
	_, err = startWorker([]string{program})
	require.ErrorContains(t, err, "version")
	_, err = startWorker([]string{"/nowhere"})
	require.Error(t, err)
}
