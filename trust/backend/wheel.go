package backend

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// A Wheel is a release of onnx. Its tests are the same whatever platform it is
// for, and it is not installed, so that the platform is fixed, too.
type Wheel struct {
	Version, Python, Platform string
	SHA256                    string
	Cases                     map[string]int // how many tests of one node there are of each operator, with tensors alone
}

// Wheels are releases that have the operators at different versions. From 1.23 on
// wheels don't bring the tests along.
var Wheels = []Wheel{
	{"1.6.0", "37", "manylinux1_x86_64", "9b32e04abe02cba4c4edb6c3cc15db917e734521ca8631e46bea3971a142d709",
		map[string]int{"Gather": 3, "ScatterND": 1, "GatherElements": 3, "GatherND": 2, "ScatterElements": 3, "Scatter": 2, "Slice": 8, "Compress": 4, "Identity": 1, "Constant": 1}},
	{"1.7.0", "37", "manylinux1_x86_64", "303f5028c1d3b9feaa29890c5cfc78e9424bb143e9bfe04abc4948cbe44183d4",
		map[string]int{"Gather": 3, "ScatterND": 1, "GatherElements": 3, "GatherND": 3, "ScatterElements": 3, "Scatter": 2, "Slice": 8, "Compress": 4, "Identity": 1, "Constant": 1}},
	{"1.12.0", "310", "manylinux2014_x86_64", "9fd2f4e23078df197bb76a59b9cd8f5a43a6ad2edc035edb3ecfb9042093e05a",
		map[string]int{"Gather": 4, "ScatterND": 3, "GatherElements": 3, "GatherND": 3, "ScatterElements": 4, "Scatter": 2, "Slice": 8, "Compress": 4, "Identity": 1, "Constant": 1}},
	{"1.22.0", "311", "manylinux_2_28_x86_64", "1d0a2bdb15eb2b3cb65c438f3423d9620d14fdce32f92380e6bb1b2e09568ef5",
		map[string]int{"Gather": 4, "ScatterND": 5, "GatherElements": 3, "GatherND": 3, "ScatterElements": 7, "Scatter": 2, "TensorScatter": 3, "Slice": 8, "Compress": 4, "Identity": 3, "Constant": 1}},
}

// Obtain returns the path of the wheel in dir, and has pip download it if it
// is not there, or is not what it should be.
func (w Wheel) Obtain(dir string) (string, error) {
	dir = filepath.Join(dir, w.Version)
	if file, err := w.find(dir); err == nil {
		return file, nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	pip := exec.Command("python3", "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:",
		"--implementation", "cp", "--python-version", w.Python, "--platform", w.Platform, "--dest", dir, "onnx=="+w.Version)
	if out, err := pip.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(pip.Args, " "), err, strings.TrimSpace(string(out)))
	}
	return w.find(dir)
}

// find returns the one wheel of a folder.
func (w Wheel) find(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.whl"))
	if err != nil {
		return "", err
	}
	if len(files) != 1 {
		return "", fmt.Errorf("%d wheels in %s", len(files), dir)
	}
	return files[0], w.check(files[0])
}

func (w Wheel) check(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != w.SHA256 {
		return fmt.Errorf("%s: its SHA-256 is %s and not %s", file, sum, w.SHA256)
	}
	return nil
}

// Read returns the tests in a wheel whose model is one node of an operator
// that lanes has. A test of theirs that can't be read is an error, and so is
// any other number of them than w.Cases has.
func (w Wheel) Read(file string) ([]*Case, error) {
	archive, err := zip.OpenReader(file)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	files := map[string]*zip.File{}
	for _, f := range archive.File {
		files[f.Name] = f
	}
	var cases []*Case
	ran := map[string]int{}
	for _, f := range archive.File { // in the order of the archive
		folder, base := path.Split(f.Name)
		if base != "model.onnx" || !strings.HasPrefix(folder, "onnx/backend/test/data/node/") {
			continue
		}
		if files[folder+"test_data_set_1/output_0.pb"] != nil {
			return nil, fmt.Errorf("%s: more than one set of data", folder)
		}
		c, err := caseOf(path.Base(folder), func(name string) ([]byte, error) { return content(files[folder+name]) })
		if errors.Is(err, errOther) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		ran[c.Op]++
		cases = append(cases, c)
	}
	for _, op := range Operators {
		if ran[op] != w.Cases[op] {
			return nil, fmt.Errorf("onnx %s: %d tests of %s, and not %d: %v", w.Version, ran[op], op, w.Cases[op], ran)
		}
	}
	return cases, nil
}

func content(f *zip.File) ([]byte, error) {
	if f == nil {
		return nil, os.ErrNotExist
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}
