package dispatch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// plant makes a CPU's directory of files with one line each.
func plant(t *testing.T, files map[string]string) string {
	cpu := t.TempDir()
	for name, line := range files {
		file := filepath.Join(cpu, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
		require.NoError(t, os.WriteFile(file, []byte(line), 0o666))
	}
	return cpu
}

// l2At is a tree as x86 and ARM have it, with the second level at index 2.
func l2At(size, sharers, siblings string) map[string]string {
	return map[string]string{
		"cache/index0/level": "1\n", "cache/index0/type": "Data\n", "cache/index0/size": "48K\n",
		"cache/index1/level": "1\n", "cache/index1/type": "Instruction\n", "cache/index1/size": "32K\n",
		"cache/index2/level": "2\n", "cache/index2/type": "Unified\n", "cache/index2/size": size, "cache/index2/shared_cpu_list": sharers,
		"cache/index3/level": "3\n", "cache/index3/type": "Unified\n", "cache/index3/size": "107520K\n", "cache/index3/shared_cpu_list": "0-1\n",
		"topology/thread_siblings_list": siblings,
	}
}

func TestPlantedCaches(t *testing.T) {
	without := func(files map[string]string, gone ...string) map[string]string {
		for _, name := range gone {
			require.Contains(t, files, name)
			delete(files, name)
		}
		return files
	}
	const tells = true
	for _, tt := range []struct {
		name  string
		files map[string]string
		share int
		tells bool // and the answer is believed
	}{
		{"a core's own", l2At("2048K\n", "0\n", "0\n"), 2 << 20, tells},
		{"two threads", l2At("1024K\n", "0,64\n", "0,64\n"), 1 << 20, tells},
		{"a cluster of four cores", l2At("4096K\n", "0-3\n", "0\n"), 1 << 20, tells},
		{"four cores of two threads", l2At("2048K\n", "0-3,8-11\n", "0,8\n"), 512 << 10, tells},
		{"no newline", l2At("512K", "0", "0"), 512 << 10, tells},
		{"no lists", without(l2At("512K\n", "", ""), "cache/index2/shared_cpu_list", "topology/thread_siblings_list"), 512 << 10, tells},
		{"absurd lists", l2At("512K\n", "many\n", "7-3\n"), 512 << 10, tells},
		{"instructions apart", map[string]string{
			"cache/index0/level": "2\n", "cache/index0/type": "Instruction\n", "cache/index0/size": "4096K\n",
			"cache/index1/level": "2\n", "cache/index1/type": "Data\n", "cache/index1/size": "2048K\n",
		}, 2 << 20, tells},

		{"no files", nil, defaultL2, false},
		{"no second level", without(l2At("1024K\n", "0\n", "0\n"), "cache/index2/level"), defaultL2, false},
		{"no size", without(l2At("", "0\n", "0\n"), "cache/index2/size"), defaultL2, false},
		{"a size of 0", l2At("0K\n", "0\n", "0\n"), defaultL2, false},
		{"an empty size", l2At("", "0\n", "0\n"), defaultL2, false},
		{"a negative size", l2At("-1024K\n", "0\n", "0\n"), defaultL2, false},
		{"1 TiB", l2At("1073741824K\n", "0\n", "0\n"), defaultL2, false},
		{"a size beyond 64 bits", l2At("99999999999999999999999K\n", "0\n", "0\n"), defaultL2, false},
		{"a size that wraps to 1 MiB", l2At("18014398509483008K\n", "0\n", "0\n"), defaultL2, false},
		{"a size in another unit", l2At("2M\n", "0\n", "0\n"), defaultL2, false},
		{"no number", l2At("unknown\n", "0\n", "0\n"), defaultL2, false},
		{"a long line", l2At(strings.Repeat("1", 1<<16)+"K\n", "0\n", "0\n"), defaultL2, false},
		{"65536 CPUs share it", l2At("2048K\n", "0-65535\n", "0\n"), defaultL2, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bytes, source := readCaches(plant(t, tt.files)).second.share()
			assert.Equal(t, tt.share, bytes)
			assert.Equal(t, tt.tells, !strings.HasPrefix(source, "assumed"), source)
			if tt.tells {
				assert.Contains(t, source, "cache/index")
			}
		})
	}
}

func TestPlantedLastCaches(t *testing.T) {
	third := func(size string) map[string]string {
		files := l2At("1024K\n", "0\n", "0\n")
		files["cache/index3/size"] = size
		return files
	}
	without := l2At("4096K\n", "0-3\n", "0\n")
	delete(without, "cache/index3/level")
	fourth := third("32768K\n")
	for name, line := range map[string]string{"level": "4\n", "type": "Unified\n", "size": "65536K\n", "shared_cpu_list": "0-7\n"} {
		fourth["cache/index4/"+name] = line
	}
	for _, tt := range []struct {
		name  string
		files map[string]string
		bytes int
		from  string
	}{
		{"a core complex", third("32768K\n"), 32 << 20, "/cache/index3"},
		{"a small one", third("8192K\n"), 8 << 20, "/cache/index3"},
		{"a ring", third("36864K\n"), 32 << 20, "/cache/index3: 36 MiB, of which so much is counted on"},
		{"a socket, seen by a guest of two cores", third("266240K\n"), 0, "/cache/index3: 260 MiB, not counted on"},
		{"another", third("107520K\n"), 0, "/cache/index3: 105 MiB, not counted on"},
		{"no third level", without, 4 << 20, "/cache/index2"},
		{"a fourth", fourth, 32 << 20, "/cache/index4: 64 MiB, of which so much is counted on"},
		{"no size", third(""), 0, "the system doesn't tell"},
		{"tiny", third("512K\n"), 0, "/cache/index3: 512 KiB, not counted on"},
		{"no files", nil, 0, "the system doesn't tell"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cpu := plant(t, tt.files)
			bytes, source := readCaches(cpu).last.whole()
			assert.Equal(t, tt.bytes, bytes)
			assert.Equal(t, tt.from, strings.TrimPrefix(source, cpu))
		})
	}
}

// What can't be opened or read at all.
func TestCachesThatCannotBeRead(t *testing.T) {
	assert.Zero(t, readCaches("/nonexistent"))
	assert.Zero(t, readCaches("a\x00b"))

	cpu := plant(t, nil) // directories in place of files
	for name := range l2At("", "", "") {
		require.NoError(t, os.MkdirAll(filepath.Join(cpu, name), 0o777))
	}
	assert.Zero(t, readCaches(cpu))

	cpu = plant(t, map[string]string{"cache": "a file in place of a directory"})
	assert.Zero(t, readCaches(cpu))
}

func TestCountCPUs(t *testing.T) {
	for list, want := range map[string]int{
		"0": 1, "0-1": 2, "0,2-5,9": 6, "": 0, ",": 0, "0,": 0, "-1": 0, "1-": 0, "0-4294967296": 0, "5-4": 0, "0 1": 0,
	} {
		assert.Equal(t, want, countCPUs(list), "%q", list)
	}
}
