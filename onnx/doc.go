// Package onnx runs ONNX models that are made of the operators that move elements by
// index: GatherElements, GatherND, Gather, ScatterElements (and Scatter, its first name),
// ScatterND, TensorScatter, Slice and Compress, with Constant and Identity for what stands between them.
// The work is package kernels'; here are the files, and the rules of the versions.
//
// # Running a model
//
//	m, err := onnx.LoadModel("model.onnx", onnx.Config{})
//	s, err := onnx.NewSession(m)
//	outputs, err := s.Run(map[string]kernels.Raw{"data": data, "indices": indices}, kernels.Workers(4))
//
// A tensor is a kernels.Raw: kernels.RawOf makes one of a Go slice, ParseTensor of a
// .pb file. NewSession checks the model and infers the types of its values, as far as they do
// not depend on inputs; Run runs the nodes in their order. A scatter whose data is not
// needed any more works in place. Values that are not needed are released.
//
// A node can run by itself: see Bind. A model with other operators runs with functions for these: see
// NewSessionWith.
//
// # Versions
//
// A node means what the opset of its model says, and what that opset did not have yet is an
// error, even where a later one has it. The rules are those of ONNX's Changelog.md
// as of onnx 1.23 (opsets 1 to 28):
//
//	GatherElements   11; bfloat16 from 13
//	Gather           1, whose indices are not negative; 11; bfloat16 from 13
//	GatherND         11; batch_dims from 12; bfloat16 from 13. Indices are int64
//	Scatter          9 and 10, with indices that are not negative; deprecated from 11
//	ScatterElements  11; bfloat16 from 13; reduction add and mul from 16, min and max from 18
//	ScatterND        the same. Indices are int64
//	Slice            1, by attributes; 10, by inputs, with steps; negative axes from 11; bfloat16 from 13
//	TensorScatter    24. Indices are int64
//	Compress         9; negative axis from 11; bfloat16 from 28
//	Constant         1, of floating-point numbers; 9; value_int and its like from 12; bfloat16 from 13
//	Identity         1; bfloat16 from 13
//
// Where ONNX leaves something open, package kernels decides it: indices may be shorter than data on
// axes other than axis, the last of several updates to a cell wins, reductions are applied in
// row-major order, and an axis that Slice has twice is an error.
//
// Elements are of the 16 types that a kernels.DType is. Sparse tensors, sequences, optional values,
// control flow, functions, float8 and types of fewer than 8 bits are not here: ErrUnsupported.
//
// # Untrusted files
//
// Reading any bytes returns a model or an error, takes memory in proportion to them and to
// Config.MaxBytes, and opens no file outside of the model's folder. Session.MaxBytes bounds the
// memory of a run. A FormatError names the field, a NodeError the node.
package onnx
