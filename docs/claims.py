#!/usr/bin/env python3
"""What the pages beside this file say of other libraries, where no document of theirs says it.

    python3 docs/claims.py          # any interpreter: what it lacks is named

Each claim is a call and its result; "error" stands for any exception. A claim that no longer holds
fails the run, and the page that has it is to be mended. NumPy 2.4.6, ONNX Runtime 1.32.0, OpenVINO
2026.4.1 and PyTorch 2.15.0 were asked last. Random calls of ONNX Runtime, OpenVINO and PyTorch, bit
for bit, are in trust/differential.
"""

import importlib
import math
import sys
import warnings


def result(call):
    try:
        got = call()
    except Exception:  # whatever the library raises
        return "error"
    return got.tolist() if hasattr(got, "tolist") else got


def same(a, b):
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return math.isnan(a) and math.isnan(b) or a == b and math.copysign(1, a) == math.copysign(1, b)
    return a == b


def numpy(np):
    d = np.arange(6).reshape(2, 3)  # [[0 1 2], [3 4 5]]
    x = np.arange(5)

    def at(ufunc, data, indices, updates):
        def call():
            cells = np.array(data)
            ufunc.at(cells, indices, np.array(updates, cells.dtype))
            return cells
        return call

    def put(indices, values):
        def call():
            cells = np.zeros(3)
            np.put_along_axis(cells, np.array(indices), np.array(values), 0)
            return cells
        return call

    def put_rows(rows, values):
        def call():
            cells = np.zeros((2, 2), int)
            cells[rows] = values
            return cells
        return call

    nan = np.float32("nan")
    yield "take_along_axis: an index from the end", lambda: np.take_along_axis(d, np.array([[-1], [-3]]), 1), [[2], [3]]
    yield "take_along_axis: out of range", lambda: np.take_along_axis(d, np.array([[3], [0]]), 1), "error"
    yield "take_along_axis: one row of indices is for all rows", lambda: np.take_along_axis(d, np.array([[0, 1]]), 1), [[0, 1], [3, 4]]
    yield "take_along_axis: indices shorter than data", lambda: np.take_along_axis(np.ones((4, 3)), np.array([[0], [1]]), 1), "error"
    yield "take_along_axis: ranks differ", lambda: np.take_along_axis(d, np.array([0, 1]), 1), "error"
    yield "put_along_axis: the last value wins", put([0, 0, 1], [1.0, 2.0, 3.0]), [2.0, 3.0, 0.0]
    yield "put_along_axis: an index from the end", put([-1, 0], [1.0, 2.0]), [2.0, 0.0, 1.0]
    yield "put_along_axis: out of range", put([0, 5], [1.0, 2.0]), "error"
    yield "add.at: integers wrap", at(np.add, np.zeros(1, np.int8), [0, 0], [100, 100]), [-56]
    yield "add.at: halves are rounded at each step", at(np.add, np.zeros(1, np.float16), [0, 0, 0], [2048, 1, 1]), [2048.0]
    yield "minimum.at: NaN wins", at(np.minimum, np.array([nan, 1], np.float32), [0, 1], [1, nan]), [nan.item(), nan.item()]
    yield "slice: begins below the axis, backward", lambda: x[-10::-1], []
    yield "slice: begins above the axis, backward", lambda: x[10::-1], [4, 3, 2, 1, 0]
    yield "slice: a step of 0", lambda: x[::0], "error"
    yield "slice: 64-bit bounds", lambda: x[2**63 - 1 : -(2**63) : -(2**63)], [4]
    yield "slice: an element out of range", lambda: x[5], "error"
    yield "slice: two ellipses", lambda: d[..., ...], "error"
    yield "indexing: the last value wins, on a CPU", put_rows([0, 0], [[1, 1], [2, 2]]), [[2, 2], [0, 0]]
    yield "indexing: rows from the end", put_rows([-1], [[1, 1]]), [[0, 0], [1, 1]]
    yield "indexing: rows out of range", put_rows([2], [[1, 1]]), "error"
    yield "add.at: rows more than once", at(np.add, np.zeros((2, 2), int), [1, 1], [[1, 2], [3, 4]]), [[0, 0], [4, 6]]
    yield "slice: a start and an end beyond the axis", lambda: x[-10:10].tolist(), [0, 1, 2, 3, 4]
    yield "take: an index from the end", lambda: np.take(d, [-1], axis=1), [[2], [5]]
    yield "take: out of range", lambda: np.take(d, [3], axis=1), "error"
    yield "take: clipped if asked for", lambda: np.take(d, [5], axis=1, mode="clip"), [[2], [5]]
    yield "compress: a condition shorter than the axis", lambda: np.compress([False, True], d, axis=1), [[1], [4]]
    yield "compress: a condition longer than the axis, True past it", lambda: np.compress([False, True, True, True], d, axis=1), "error"
    yield "compress: a condition longer than the axis, False past it", lambda: np.compress([False, True, True, False], d, axis=1), [[1, 2], [4, 5]]
    yield "mask: rows", lambda: d[np.array([False, True])], [[3, 4, 5]]
    yield "mask: elements", lambda: d[d > 2], [3, 4, 5]
    yield "mask: of another length", lambda: d[np.array([True, False, True])], "error"
    yield "mask: a scalar inserts an axis", lambda: list(d[np.True_].shape), [1, 2, 3]


def torch(torch):
    d = torch.arange(6).reshape(2, 3)
    table = torch.arange(6.0).reshape(2, 3)

    def scatter(indices, updates):
        return lambda: torch.zeros(3).scatter_(0, torch.tensor(indices), torch.tensor(updates))

    def reduce(how, dtype, data, updates):
        return lambda: torch.tensor(data, dtype=dtype).scatter_reduce_(0, torch.arange(len(data)), torch.tensor(updates, dtype=dtype), how)

    def bag(indices, offsets, mode):
        return lambda: torch.nn.functional.embedding_bag(torch.tensor(indices), table, torch.tensor(offsets), mode=mode)

    nan = float("nan")
    yield "gather: an index from the end", lambda: torch.gather(d, 1, torch.tensor([[-1], [0]])), "error"
    yield "gather: out of range", lambda: torch.gather(d, 1, torch.tensor([[3], [0]])), "error"
    yield "gather: int32 indices", lambda: torch.gather(d, 1, torch.tensor([[0]], dtype=torch.int32)), [[0]]
    yield "gather: int16 indices", lambda: torch.gather(d, 1, torch.tensor([[0]], dtype=torch.int16)), "error"
    yield "gather: indices shorter than data", lambda: torch.gather(d, 1, torch.tensor([[0, 1]])), [[0, 1]]
    yield "indexing: an index from the end", lambda: d[torch.tensor([-1])], [[3, 4, 5]]
    yield "indexing: out of range", lambda: d[torch.tensor([2])], "error"
    yield "index_select: an index from the end", lambda: torch.index_select(d, 1, torch.tensor([-1])), "error"
    yield "scatter: an index from the end", scatter([-1], [1.0]), "error"
    yield "scatter: out of range", scatter([3], [1.0]), "error"
    yield "scatter: the last update wins, on a CPU", scatter([0, 0], [1.0, 2.0]), [2.0, 0.0, 0.0]
    yield "scatter: updates longer than indices", scatter([0], [1.0, 2.0]), [1.0, 0.0, 0.0]
    yield "scatter_reduce: a mean of integers is rounded down", reduce("mean", torch.int32, [-3], [0]), [-2]
    yield "scatter_reduce: the sum of a mean wraps", reduce("mean", torch.int8, [100], [100]), [-28]
    yield "scatter_reduce: NaN wins", reduce("amin", torch.float32, [nan, 1.0], [1.0, nan]), [nan, nan]
    yield "index_put: accumulates every update of a row", lambda: torch.zeros(2, 2).index_put((torch.tensor([1, -1]),), torch.ones(2, 2), accumulate=True), [[0.0, 0.0], [2.0, 2.0]]
    yield "index_put: out of range", lambda: torch.zeros(2).index_put((torch.tensor([2]),), torch.tensor([1.0])), "error"
    yield "index_put: a scalar is for all cells", lambda: torch.zeros(2).index_put((torch.tensor([0, 1]),), torch.tensor(5.0)), [5.0, 5.0]
    yield "slice: a negative step", lambda: torch.arange(5)[::-1], "error"
    yield "mask: rows", lambda: d[torch.tensor([False, True])], [[3, 4, 5]]
    yield "embedding_bag: an empty bag is 0", bag([0, 1], [0, 0, 2], "mean"), [[0.0] * 3, [1.5, 2.5, 3.5], [0.0] * 3]
    yield "embedding_bag: an empty bag's maximum is 0", bag([0, 1], [0, 2], "max"), [[3.0, 4.0, 5.0], [0.0] * 3]
    yield "embedding_bag: an index from the end", bag([-1], [0], "sum"), "error"


def onnxruntime(ort):
    import numpy as np
    from onnx import helper

    ort.set_default_logger_severity(4)

    def run(op, *inputs, **attrs):
        def call():
            names = [f"x{k}" for k in range(len(inputs))]
            types = [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape) for n, x in zip(names, inputs)]
            out = helper.make_tensor_value_info("y", helper.np_dtype_to_tensor_dtype(inputs[0].dtype), None)
            graph = helper.make_graph([helper.make_node(op, names, ["y"], **attrs)], "g", types, [out])
            model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
            session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
            return session.run(None, dict(zip(names, inputs)))[0]
        return call

    f = np.float32
    d = np.arange(6, dtype=f).reshape(2, 3)
    x = np.arange(5, dtype=f)

    def i(*values):
        return np.array(values)

    yield "GatherElements: indices shorter than data", run("GatherElements", d, i([0, -1]), axis=1), [[0.0, 2.0]]
    yield "GatherElements: out of range", run("GatherElements", d, i([3], [0]), axis=1), "error"
    yield "GatherND: batches of other lengths", run("GatherND", np.zeros((2, 2), f), i([0]), batch_dims=1), "error"
    yield "GatherND: four batches of tuples for two of data", run("GatherND", f([[1, 2], [3, 4]]), i([0], [1], [0], [1]), batch_dims=1), [1.0, 2.0, 3.0, 4.0]
    yield "GatherND: out of range", run("GatherND", d, i([2])), "error"
    yield "GatherND: an empty result and an index out of range", run("GatherND", np.zeros((2, 0), f), i([5])), [[]]
    yield "ScatterElements: the last update wins", run("ScatterElements", np.zeros(3, f), i(0, 0), f([1, 2])), [2.0, 0.0, 0.0]
    yield "ScatterElements: out of range", run("ScatterElements", np.zeros(3, f), i(3), f([1])), "error"
    yield "ScatterND: the last update wins", run("ScatterND", np.zeros(3, f), i([0], [0]), f([1, 2])), [2.0, 0.0, 0.0]
    yield "ScatterND: out of range", run("ScatterND", np.zeros(3, f), i([5]), f([1])), "error"
    yield "ScatterND: an index from the end", run("ScatterND", np.zeros(3, f), i([-1]), f([1])), [0.0, 0.0, 1.0]
    yield "ScatterND: sums of rows", run("ScatterND", np.zeros((2, 2), f), i([1], [1]), f([[1, 2], [3, 4]]), reduction="add"), [[0.0, 0.0], [4.0, 6.0]]
    yield "ScatterND: updates of another shape", run("ScatterND", np.zeros(3, f), i([0], [1]), f([1])), "error"
    yield "Slice: fewer starts than axes, without axes", run("Slice", d, i(1), i(2)), [[3.0, 4.0, 5.0]]
    yield "Slice: an axis out of range", run("Slice", d, i(0), i(1), i(2)), "error"
    yield "Slice: an axis from the end", run("Slice", d, i(1), i(2), i(-1)), [[1.0], [4.0]]
    yield "Slice: backward past the first, by INT64_MIN", run("Slice", x, i(-1), np.array([-(2**63)]), i(0), i(-2)), [4.0, 2.0, 0.0]
    for limit in 2**31 - 1, 2**63 - 1:
        yield "Slice: backward to a limit of integers", run("Slice", x, i(3), np.array([limit]), i(0), i(-1)), [3.0, 2.0, 1.0, 0.0]
    yield "Slice: of a scalar", run("Slice", np.array(1, f), np.zeros(0, np.int64), np.zeros(0, np.int64)), "error"
    yield "Slice: begins below the axis, backward", run("Slice", x, i(-10), i(-100), i(0), i(-1)), [0.0]
    yield "Slice: an axis twice", run("Slice", d, i(0, 0), i(1, 1), i(0, 0), i(1, 1)), "error"
    yield "Slice: a step of 0", run("Slice", x, i(0), i(3), i(0), i(0)), "error"
    yield "Gather: a scalar index", run("Gather", d, np.array(-1), axis=1), [2.0, 5.0]
    yield "Gather: out of range", run("Gather", d, i(3), axis=1), "error"
    yield "Compress: a condition shorter than the axis", run("Compress", d, np.array([False, True]), axis=1), [[1.0], [4.0]]
    yield "Compress: a condition longer than the axis", run("Compress", d, np.array([False, True, False, True]), axis=1), [[1.0], [4.0]]


def openvino(ov):
    import numpy as np
    from openvino import opset15 as ops

    core = ov.Core()
    d = np.arange(6, dtype=np.float32).reshape(2, 3)

    def run(make, *inputs):
        def call():
            ports = [ops.parameter(list(x.shape), x.dtype) for x in inputs]
            compiled = core.compile_model(ov.Model([make(*ports)], ports), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
            return compiled(list(inputs))[0]
        return call

    def i(*values):
        return np.array(values, np.int64)

    yield "GatherElements-6: an index from the end", run(lambda a, b: ops.gather_elements(a, b, 1), d, i([-1], [0])), [[2.0], [3.0]]
    yield "GatherND-8: an index from the end", run(lambda a, b: ops.gather_nd(a, b, 0), d, i([-1])), [[3.0, 4.0, 5.0]]

    yield "ScatterNDUpdate-15: an index from the end", run(lambda a, b, c: ops.scatter_nd_update(a, b, c, "sum"), np.zeros(3, np.float32), i([-1], [-1]), np.ones(2, np.float32)), [0.0, 0.0, 2.0]
    yield "ScatterNDUpdate-15: the last update wins", run(lambda a, b, c: ops.scatter_nd_update(a, b, c), np.zeros(3, np.float32), i([0], [0]), np.array([1, 2], np.float32)), [2.0, 0.0, 0.0]
    yield "Slice-8: negative steps", run(lambda a, b, e, s: ops.slice(a, b, e, s), np.arange(5, dtype=np.float32), i(-10), i(-100), i(-1)), [0.0]
    yield "Slice-8: an axis from the end", run(lambda a, b, e, s, x: ops.slice(a, b, e, s, x), d, i(1), i(2), i(1), i(-1)), [[1.0], [4.0]]

    def sliced(begin, end, stride, end_mask):
        return run(lambda a, b, e, s: ops.strided_slice(a, b, e, s, [0], end_mask, [], [], []), np.arange(4, dtype=np.float32), i(begin), i(end), i(stride))

    yield "StridedSlice-1: the end mask with a negative stride", sliced(2, 0, -1, [1]), [2.0, 1.0, 0.0]
    yield "StridedSlice-1: begin and end are equal", sliced(2, 2, 1, [0]), []

    def bag(indices, offsets, **attrs):
        return run(lambda a, b, c: ops.embedding_bag_offsets(a, b, c, **attrs), d, i(*indices), i(*offsets))

    yield "EmbeddingBagOffsets-15: an index from the end", bag([-1], [0]), "error"
    yield "EmbeddingBagOffsets-15: indices before the first offset are left out", bag([1, 0, 1], [1, 2]), [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    yield "EmbeddingBagOffsets-15: an empty bag is 0", bag([0, 1], [0, 0], reduction="mean"), [[0.0, 0.0, 0.0], [1.5, 2.5, 3.5]]
    yield "EmbeddingBagOffsets-15: an empty bag is the default row", bag([0, 0], [0, 0], default_index=np.int64(1)), [[3.0, 4.0, 5.0], [0.0, 2.0, 4.0]]
    yield "Gather-8: zeros where out of range", run(lambda a, b: ops.gather(a, b, np.int64(1)), d, i(0, 3)), [[0.0, 0.0], [3.0, 0.0]]


def main():
    warnings.simplefilter("ignore")
    failed, ran = 0, False
    for claims in numpy, torch, onnxruntime, openvino:
        try:
            module = importlib.import_module(claims.__name__)
        except ImportError as e:
            print(f"{claims.__name__}: NOT RUN, {e}")
            continue
        ran, count = True, 0
        for name, call, want in claims(module):
            got, count = result(call), count + 1
            if not same(got, want):
                failed += 1
                print(f"{claims.__name__} {module.__version__}: {name}: {got}, and not {want}")
        print(f"{claims.__name__} {module.__version__}: {count} claims")
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
