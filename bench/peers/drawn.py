"""The ways in which each library makes a random call.

Everything that a library needs beforehand is made before any time is taken, in
its favour: copies of views, int64 indices, indices without negative ones, and
the row-major numbers of what indices name.
"""

import re
import sys

import numpy as np

from __main__ import Lacks, Tensors, keep, onnx_model, onnx_node, slices

MOST = 120  # letters of a reason
SCATTERS = ("ScatterElementsUpdate", "ScatterNDUpdate")


class Drawn(Tensors):
    """The tensors of a random call; all but indices are row-major."""

    def __init__(self, call):
        super().__init__(call)
        self.call, self.op = call, call["operator"]
        self.in_place, self.reduction = call["in_place"], call.get("reduction")
        self.init = not call.get("ignore_init") or self.reduction == "none"

    def wrapped(self, sizes):
        return self.indices.astype(np.int64) + np.where(self.indices < 0, np.array(sizes, np.int64), 0)

    def along(self):
        """The indices of an operator with an index an element, none negative."""
        return self.wrapped(self.data.shape[self.call["axis"]])

    def one_a_row(self):
        """The index of each row, where a view has one for all of it, or None."""
        same = self.indices.shape[1:] == self.data.shape[1:]
        if self.call["axis"] == 0 and same and self.indices.ndim > 1 and not any(self.indices.strides[1:]):
            return self.along()[(slice(None),) + (0,) * (self.indices.ndim - 1)]
        return None

    def cells(self):
        """The row-major number in data of what each index names, element by element."""
        axis = self.call["axis"]
        strides = [s // self.data.itemsize for s in self.data.strides]
        grid = np.ogrid[tuple(slice(n) for n in self.indices.shape)]
        return self.along() * strides[axis] + sum(g * s for d, (g, s) in enumerate(zip(grid, strides)) if d != axis)

    def rows(self):
        """The number of the row that each index or tuple names, and how long rows are."""
        b, shape = self.call["batch_dims"], self.data.shape
        if self.op == "Gather":
            axis = self.call["axis"]
            d, width, ids = shape[axis], shape[axis + 1:], self.wrapped(shape[axis])
            before = np.arange(int(np.prod(shape[:axis]))).reshape(shape[:axis] + (1,) * (ids.ndim - b))
            ids = ids.reshape(ids.shape[:b] + (1,) * (axis - b) + ids.shape[b:])
            ids = before * d + ids
        else:
            k = self.indices.shape[-1]
            sizes, width = shape[b:b + k], shape[b + k:]
            tuples = self.wrapped(sizes)
            ids = np.ravel_multi_index(tuple(tuples[..., i] for i in range(k)), sizes)
            batch = np.arange(int(np.prod(shape[:b]))).reshape(shape[:b] + (1,) * (ids.ndim - b))
            ids = batch * int(np.prod(sizes)) + ids
        return np.ascontiguousarray(ids).reshape(-1), int(np.prod(width))

    def plain_indices(self):
        return np.array(self.indices, order="C")  # a copy: what is read from a file as a view is read-only

    def forward(self):
        """The cuts with all steps positive, and the axes to be reversed then."""
        index, reverse = [], []
        for d, c in enumerate(self.call["cuts"]):
            begin, step, last = c["begin"], c["stride"], c["begin"] + (c["count"] - 1) * c["stride"]
            if step < 0:
                reverse.append(d)
                begin, last, step = last, begin, -step
            index.append(slice(begin, last + 1, step))
        return tuple(index), reverse


def ways(name, call, threads):
    """The ways that run at all, in the order of the list."""
    t = Drawn(call)
    found, failure = [], None
    for used, make in LIBRARIES[name](t, threads):
        way = None
        try:
            way = t.way(used, make())
            way.run()
            way.reset()
            found.append(way)
        except Lacks:
            raise
        except Exception as e:
            failure = failure or f"{type(e).__name__}: {e}"
    if not found:
        # Without numbers and line ends, the same reason is counted as one.
        failure = re.sub(r"\d+", "n", " ".join(failure.split()))
        raise Lacks(f"{call['operator']} of {t.dtype}: {failure[:MOST]}")
    return t, found


# NumPy


def numpy_calls(t, threads):
    if t.dtype == "bfloat16":
        raise Lacks("type bfloat16")
    if t.op == "StridedSlice":
        return [("np.copyto(dst, data[slices])", lambda: lambda: np.copyto(t.dst, t.data[slices(t.call)]))]
    if t.op in SCATTERS:
        return numpy_scatter(t)
    if t.op == "GatherElements":
        ids, data, dst = t.cells(), t.data.reshape(-1), t.dst
        shape = "np.take(flat data, cells, out=dst)"
    else:
        ids, width = t.rows()
        data, dst = t.data.reshape(-1, width), t.dst.reshape(-1, width)
        shape = "np.take(rows of data, rows, 0, out=dst)"
    found = [(shape, lambda: lambda: keep(np.take(data, ids, 0, out=dst, mode="wrap")))]
    if t.op == "GatherElements":
        axis, along = t.call["axis"], t.along()
        part = t.data[tuple(slice(None) if d == axis else slice(n) for d, n in enumerate(along.shape))]
        found.append((f"np.take_along_axis(data, indices, {axis}), allocates", lambda: lambda: np.take_along_axis(part, along, axis)))
    elif t.op == "Gather" and t.call["batch_dims"] == 0:
        axis, along = t.call["axis"], t.plain_indices()
        found.append((f"np.take(data, indices, {axis}, out=dst)", lambda: lambda: keep(np.take(t.data, along, axis, out=t.dst, mode="wrap"))))
    return found


def numpy_scatter(t):
    ufunc = {"sum": np.add, "max": np.maximum, "min": np.minimum, "prod": np.multiply}.get(t.reduction)
    if not t.init:
        raise Lacks("reduction without the initial value")
    if t.reduction != "none" and ufunc is None:
        raise Lacks(f"reduction {t.reduction}")
    if t.op == "ScatterElementsUpdate":
        ids, dst, updates = t.cells().reshape(-1), t.dst.reshape(-1), t.updates.reshape(-1)
    else:
        ids, width = t.rows()
        dst, updates = t.dst.reshape(-1, width), t.updates.reshape(-1, width)

    def run():
        if not t.in_place:
            np.copyto(t.dst, t.data)
        if ufunc is None:
            dst[ids] = updates
        else:
            ufunc.at(dst, ids, updates)

    return [("dst[ids] = updates" if ufunc is None else f"np.{ufunc.__name__}.at(dst, ids, updates)", lambda: run)]


# PyTorch


def torch_calls(t, threads):
    import torch

    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)

    def tensor(x):
        if t.dtype == "bfloat16" and x.dtype == np.uint16:
            return torch.from_numpy(x.view(np.int16)).view(torch.bfloat16)
        return torch.from_numpy(x)

    data, dst = tensor(t.data), tensor(t.dst)
    if t.op == "StridedSlice":
        index, reverse = t.forward()
        part = data[index]
        if not reverse:
            return [("dst.copy_(data[slices])", lambda: lambda: keep(dst.copy_(part)))]
        return [
            ("dst.copy_(torch.flip(data[slices], axes))", lambda: lambda: keep(dst.copy_(torch.flip(part, reverse)))),
            ("torch.flip(data[slices], axes), allocates", lambda: lambda: plain(torch, torch.flip(part, reverse))),
        ]
    if t.op in SCATTERS:
        return torch_scatter(t, torch, tensor, data, dst)
    if t.op == "GatherElements":
        axis, along, cells = t.call["axis"], tensor(t.along()), tensor(t.cells())
        found = [
            (f"torch.gather(data, {axis}, indices, out=dst)", lambda: lambda: keep(torch.gather(data, axis, along, out=dst))),
            ("torch.take(data, cells, out=dst)", lambda: lambda: keep(torch.take(data, cells, out=dst))),
        ]
        one = t.one_a_row()
        if one is not None:
            one = tensor(one)
            found.append(("torch.index_select(data, 0, rows, out=dst)", lambda: lambda: keep(torch.index_select(data, 0, one, out=dst))))
        return found
    rows, width = t.rows()
    rows, data2, dst2 = tensor(rows), data.view(-1, width), dst.view(-1, width)
    found = [("torch.index_select(rows of data, 0, rows, out=dst)", lambda: lambda: keep(torch.index_select(data2, 0, rows, out=dst2)))]
    if width == 1:
        flat = dst.view(-1)
        found.append(("torch.take(data, cells, out=dst)", lambda: lambda: keep(torch.take(data, rows, out=flat))))
    elif t.dtype in ("float32", "float64", "float16", "bfloat16"):
        found.append(("torch.nn.functional.embedding(rows, rows of data), allocates",
                      lambda: lambda: plain(torch, torch.nn.functional.embedding(rows, data2))))
    if t.op == "Gather" and t.call["batch_dims"] == 0:
        axis, ids = t.call["axis"], tensor(t.along().reshape(-1))
        out = dst.view(t.data.shape[:axis] + (-1,) + t.data.shape[axis + 1:])
        found.append((f"torch.index_select(data, {axis}, indices, out=dst)", lambda: lambda: keep(torch.index_select(data, axis, ids, out=out))))
    return found


def plain(torch, x):
    """A result as NumPy can read it."""
    return x.view(torch.int16) if x.dtype == torch.bfloat16 else x


def torch_scatter(t, torch, tensor, data, dst):
    reduce = {"sum": "sum", "mean": "mean", "max": "amax", "min": "amin", "prod": "prod"}.get(t.reduction)
    updates, axis, fresh = tensor(t.updates), t.call["axis"], not t.in_place
    found = []

    def way(used, change):
        def run():
            if fresh:
                dst.copy_(data)
            change()

        found.append((("dst.copy_(data); dst." if fresh else "data.") + used, lambda: run))

    if t.op == "ScatterElementsUpdate":
        ids, one = tensor(t.along()), t.one_a_row()
        if one is not None:  # torch has a fast path for an index that is expanded
            ids = tensor(one).view(-1, *[1] * (t.data.ndim - 1)).expand(t.indices.shape)
        if reduce is None:
            way(f"scatter_({axis}, indices, updates)", lambda: dst.scatter_(axis, ids, updates))
            if fresh:
                found.append((f"torch.scatter(data, {axis}, indices, updates, out=dst)", lambda: lambda: keep(torch.scatter(data, axis, ids, updates, out=dst))))
            return found
        way(f'scatter_reduce_({axis}, indices, updates, "{reduce}")', lambda: dst.scatter_reduce_(axis, ids, updates, reduce, include_self=t.init))
        if fresh:
            found.append((f'torch.scatter_reduce(data, {axis}, indices, updates, "{reduce}", out=dst)',
                          lambda: lambda: keep(torch.scatter_reduce(data, axis, ids, updates, reduce, include_self=t.init, out=dst))))
        if reduce == "sum" and t.init:
            way(f"scatter_add_({axis}, indices, updates)", lambda: dst.scatter_add_(axis, ids, updates))
        if one is None:
            return found
        rows, dst2, updates2 = tensor(one), dst, updates
    else:
        rows, width = t.rows()
        rows, dst2, updates2 = tensor(rows), dst.view(-1, width), updates.view(-1, width)
        if reduce is None:
            way("index_copy_(0, rows, updates)", lambda: dst2.index_copy_(0, rows, updates2))
            way("index_put_((rows,), updates)", lambda: dst2.index_put_((rows,), updates2))
            return found
        wide = rows[:, None].expand(-1, width)
        way(f'scatter_reduce_(0, rows, updates, "{reduce}")', lambda: dst2.scatter_reduce_(0, wide, updates2, reduce, include_self=t.init))
    if reduce != "sum":
        way(f'index_reduce_(0, rows, updates, "{reduce}")', lambda: dst2.index_reduce_(0, rows, updates2, reduce, include_self=t.init))
    elif t.init:
        way("index_add_(0, rows, updates)", lambda: dst2.index_add_(0, rows, updates2))
    return found


# ONNX Runtime


def onnxruntime_calls(t, threads):
    import onnxruntime

    if t.dtype in ("bfloat16", "complex64"):
        raise Lacks(f"type {t.dtype}")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3

    def way(used, op, inputs, attributes=None, constants=None, shape=None):
        def make():
            names = list(inputs) + list(constants or {})
            model = onnx_model(onnx_node(op, names, **(attributes or {})), inputs, shape or t.shape, t.dtype, constants)
            session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
            values = {name: onnxruntime.OrtValue.ortvalue_from_numpy(x) for name, x in inputs.items()}
            binding = session.io_binding()
            for name, value in values.items():
                binding.bind_ortvalue_input(name, value)
            dst = t.dst.reshape(shape or t.shape)
            output = values["data"] if t.in_place else onnxruntime.OrtValue.ortvalue_from_numpy(dst)
            binding.bind_ortvalue_output("dst", output)
            held = (session, values, output)
            return lambda: held and session.run_with_iobinding(binding)

        return used, make

    axis, b = t.call["axis"], t.call["batch_dims"]
    if t.op == "StridedSlice":
        cuts = t.call["cuts"]
        axes = [d for d, c in enumerate(cuts) if c["count"] != t.data.shape[d] or c["stride"] != 1]
        ends = [c["begin"] + c["count"] * c["stride"] for c in cuts]
        constants = {
            "starts": np.array([cuts[d]["begin"] for d in axes], np.int64),
            "ends": np.array([ends[d] if ends[d] >= 0 else np.iinfo(np.int64).min for d in axes], np.int64),
            "axes": np.array(axes, np.int64),
            "steps": np.array([cuts[d]["stride"] for d in axes], np.int64),
        }
        return [way("Slice", "Slice", {"data": t.data}, constants=constants)]
    if t.op in SCATTERS:
        reduction = {"none": "none", "sum": "add", "max": "max", "min": "min", "prod": "mul"}.get(t.reduction)
        if reduction is None:
            raise Lacks(f"reduction {t.reduction}")
        if not t.init:
            raise Lacks("reduction without the initial value")
        inputs = {"data": t.data, "indices": t.plain_indices(), "updates": t.updates}
        if t.op == "ScatterNDUpdate":  # ONNX has it with int64 alone
            inputs["indices"] = inputs["indices"].astype(np.int64)
        if t.op == "ScatterElementsUpdate":
            return [way(f"ScatterElements, {reduction}", "ScatterElements", inputs, {"axis": axis, "reduction": reduction})]
        return [way(f"ScatterND, {reduction}", "ScatterND", inputs, {"reduction": reduction})]
    inputs = {"data": t.data, "indices": t.plain_indices()}
    if t.op == "GatherElements":
        found = [way("GatherElements", "GatherElements", inputs, {"axis": axis})]
        if t.data.ndim == 1:
            found.append(way("Gather", "Gather", inputs, {"axis": 0}))
        return found
    found = []
    if t.op == "GatherND":
        inputs["indices"] = inputs["indices"].astype(np.int64)
        found.append(way(f"GatherND, batch_dims {b}", "GatherND", inputs, {"batch_dims": b}))
    elif b == 0:
        found.append(way("Gather", "Gather", inputs, {"axis": axis}))
    rows, width = t.rows()
    flat = {"data": t.data.reshape(-1, width), "indices": rows}
    found.append(way("Gather of rows, axis 0", "Gather", flat, {"axis": 0}, shape=[rows.size, width]))
    return found


# OpenVINO


def openvino_calls(t, threads):
    sys.modules["openvino_telemetry"] = None  # it forks a process that reports home
    import openvino as ov

    if t.dtype in ("bfloat16", "complex64"):
        raise Lacks(f"type {t.dtype}")
    core = ov.Core()
    config = {
        "INFERENCE_NUM_THREADS": threads,
        "NUM_STREAMS": 1,
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "f32",
        "ENABLE_CPU_PINNING": False,
    }

    def way(used, build, inputs, dst=None):
        def make():
            parameters = [ov.opset12.parameter(list(x.shape), x.dtype) for x in inputs]
            model = ov.Model([build(*parameters)], parameters)
            request = core.compile_model(model, "CPU", config).create_infer_request()
            tensors = [ov.Tensor(x, shared_memory=True) for x in inputs]
            for i, x in enumerate(tensors):
                request.set_input_tensor(i, x)
            output = tensors[0] if t.in_place else ov.Tensor(t.dst if dst is None else dst, shared_memory=True)
            request.set_output_tensor(output)
            held = (tensors, output)
            return lambda: held and keep(request.infer(share_outputs=True))

        return used, make

    constant = ov.opset12.constant
    axis, b = t.call["axis"], t.call["batch_dims"]
    if t.op == "StridedSlice":
        cuts = t.call["cuts"]
        ends = [c["begin"] + c["count"] * c["stride"] for c in cuts]
        to_end = [int(e < 0) for e in ends]

        def build(data):
            return ov.opset1.strided_slice(
                data, constant([c["begin"] for c in cuts]), constant([max(e, 0) for e in ends]), constant([c["stride"] for c in cuts]),
                begin_mask=[0] * len(cuts), end_mask=to_end)

        return [way("StridedSlice-1", build, [t.data])]
    indices = t.plain_indices()
    if t.op == "GatherElements" and any(n != m for d, (n, m) in enumerate(zip(t.data.shape, indices.shape)) if d != axis):
        raise Lacks("data longer than indices on another axis")
    if t.op == "ScatterElementsUpdate":
        return [way(
            f"ScatterElementsUpdate-12, {t.reduction}",
            lambda d, i, u: ov.opset12.scatter_elements_update(d, i, u, constant(axis), reduction=t.reduction, use_init_val=t.init),
            [t.data, indices, t.updates])]
    if t.op == "ScatterNDUpdate":
        if not t.init:
            raise Lacks("reduction without the initial value")
        return [way(f"ScatterNDUpdate-15, {t.reduction}",
                    lambda d, i, u: ov.opset15.scatter_nd_update(d, i, u, reduction=t.reduction), [t.data, indices, t.updates])]
    if t.op == "GatherElements":
        found = [way("GatherElements-6", lambda d, i: ov.opset6.gather_elements(d, i, axis), [t.data, indices])]
        if t.data.ndim == 1:
            found.append(way("Gather-8", lambda d, i: ov.opset8.gather(d, i, constant(0)), [t.data, indices]))
        return found
    found = []
    if t.op == "GatherND":
        found.append(way(f"GatherND-8, batch_dims {b}", lambda d, i: ov.opset8.gather_nd(d, i, b), [t.data, indices]))
    else:
        found.append(way(f"Gather-8, batch_dims {b}", lambda d, i: ov.opset8.gather(d, i, constant(axis), b), [t.data, indices]))
    rows, width = t.rows()
    found.append(way("Gather-8 of rows, axis 0", lambda d, i: ov.opset8.gather(d, i, constant(0)),
                     [t.data.reshape(-1, width), rows], t.dst.reshape(-1, width)))
    return found


LIBRARIES = {"numpy": numpy_calls, "torch": torch_calls, "onnxruntime": onnxruntime_calls, "openvino": openvino_calls}
