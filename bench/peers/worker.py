"""Serves one Python library as a peer of bench: worker.py NAME THREADS.

The protocol is in protocol/protocol.go. Each library has a function that
returns the ways in which it can make a call; the fastest is the one timed.
"""

import gc
import importlib.metadata
import json
import os
import sys
import time

import numpy as np

LONG = 100e6  # nanoseconds: calls that take longer are not preceded by others
SETTLE = 10e6  # how long calls go on before those that are timed
TRIALS = 5  # of each way to make a call


class Lacks(Exception):
    """The library has no such call."""


class Way:
    """A way to make a call.

    run makes it, and may return its output; with no output returned, it is in
    dst. initial is what dst holds before a call in place.
    """

    def __init__(self, used, run, dst=None, initial=None):
        self.used, self.call, self.dst, self.initial = used, run, dst, initial
        self.output = None

    def run(self):
        self.output = self.call()

    def reset(self):
        if self.initial is not None:
            np.copyto(self.dst, self.initial)

    def result(self):
        return np.ascontiguousarray(self.dst if self.output is None else self.output)


class Tensors:
    """The tensors of a call, as NumPy arrays."""

    def __init__(self, call):
        self.data = load(call["data"])
        self.indices = load(call["indices"]) if call.get("indices") else None
        self.updates = load(call["updates"]) if call.get("updates") else None
        self.shape, self.dtype = call["output"]["shape"], call["output"]["type"]
        kind = in_numpy(self.dtype)
        self.initial = None
        if call["in_place"]:
            self.initial, self.data = self.data, self.data.copy()
            self.dst = self.data
        else:
            self.dst = np.zeros(self.shape, kind)

    def is_view(self):
        return not self.indices.flags.c_contiguous

    def row_indices(self):
        """The one index of each row, where a view has one for the whole row."""
        return np.ascontiguousarray(self.indices[:, 0])

    def way(self, used, run):
        return Way(used, run, self.dst, self.initial)


def in_numpy(kind):
    """The type that holds the bits of one that NumPy lacks."""
    return "uint16" if kind == "bfloat16" else kind


def load(t):
    flat = np.fromfile(t["file"], in_numpy(t["type"]))
    if t.get("strides"):
        strides = [s * flat.itemsize for s in t["strides"]]
        return np.lib.stride_tricks.as_strided(flat, t["shape"], strides, writeable=False)
    return flat.reshape(t["shape"])


def slices(call):
    """The index that NumPy and its like take for the cuts."""
    index = []
    for c in call["cuts"]:
        end = c["begin"] + c["count"] * c["stride"]
        if c["shrunk"]:
            index.append(c["begin"])
        else:
            index.append(slice(c["begin"], end if end >= 0 else None, c["stride"]))
    return tuple(index)


def reversed_axes(call):
    return [d for d, c in enumerate(call["cuts"]) if c["stride"] < 0]


# NumPy


def numpy_ways(call, threads):
    t = Tensors(call)
    return t, NUMPY[call["operator"]](call, t)


def numpy_gather_elements(call, t):
    axis = call["axis"]
    ways = [t.way(f"np.take_along_axis(data, indices, {axis}), allocates", lambda: np.take_along_axis(t.data, t.indices, axis))]
    if t.data.ndim == 1:
        ways.append(t.way('np.take(data, indices, out=dst, mode="wrap")',
                          lambda: keep(np.take(t.data, t.indices, out=t.dst, mode="wrap"))))
    return ways


def keep(_):
    """The output is in dst."""


def numpy_gather_nd(call, t):
    b, k = call["batch_dims"], t.indices.shape[-1]
    columns = [np.ascontiguousarray(t.indices[..., i]) for i in range(k)]
    if b == 1:
        rows = np.arange(t.data.shape[0])[:, None]
        return [
            t.way("data[arange(b)[:, None], indices[..., 0]], allocates", lambda: t.data[rows, t.indices[..., 0]]),
            t.way("np.take_along_axis(data, indices, 1), allocates", lambda: np.take_along_axis(t.data, t.indices, 1)),
        ]
    ways = [t.way("data[tuple(indices.T)], allocates", lambda: t.data[tuple(t.indices.T)])]
    if k == 1:
        ways.append(t.way('np.take(data, indices[:, 0], 0, out=dst, mode="wrap")',
                          lambda: keep(np.take(t.data, columns[0], 0, out=t.dst, mode="wrap"))))
    elif k == t.data.ndim:
        flat = t.data.reshape(-1)
        ways.append(t.way('np.take(flat, np.ravel_multi_index(indices.T, shape), out=dst, mode="wrap")',
                          lambda: keep(np.take(flat, np.ravel_multi_index(t.indices.T, t.data.shape), out=t.dst, mode="wrap"))))
    return ways


def numpy_scatter(call, t):
    axis, reduction = call["axis"], call["reduction"]
    ufunc = {"sum": np.add, "max": np.maximum}.get(reduction)
    copy = "" if call["in_place"] else "np.copyto(dst, data); "

    def fresh():
        if not call["in_place"]:
            np.copyto(t.dst, t.data)

    if reduction == "none":
        return [t.way(f"{copy}np.put_along_axis(dst, indices, updates, {axis})",
                      lambda: keep((fresh(), np.put_along_axis(t.dst, t.indices, t.updates, axis))))]
    if ufunc is None:
        raise Lacks(f"no reduction {reduction}")
    name = f"np.{ufunc.__name__}.at"
    if t.is_view():
        rows = t.row_indices()
        return [t.way(f"{copy}{name}(dst, indices[:, 0], updates)", lambda: keep((fresh(), ufunc.at(t.dst, rows, t.updates))))]
    if t.data.ndim == 1:
        ways = [t.way(f"{copy}{name}(dst, indices, updates)", lambda: keep((fresh(), ufunc.at(t.dst, t.indices, t.updates))))]
        if reduction == "sum":
            n = t.data.size
            ways.append(t.way("np.add(data, np.bincount(indices, updates, n), out=dst), sums in float64",
                              lambda: keep(np.add(t.data, np.bincount(t.indices, t.updates, n), out=t.dst, casting="unsafe"))))
        return ways
    grid = np.ogrid[tuple(slice(n) for n in t.indices.shape)]
    stride = t.data.strides[axis] // t.data.itemsize
    base = sum(g * (s // t.data.itemsize) for d, (g, s) in enumerate(zip(grid, t.data.strides)) if d != axis)

    def grid_index():
        return tuple(t.indices if d == axis else g for d, g in enumerate(grid))

    def flat_index():
        return (t.indices * stride + base).reshape(-1)

    flat, updates = t.dst.reshape(-1), t.updates.reshape(-1)
    return [
        t.way(f"{copy}{name}(dst, grid of indices, updates)", lambda: keep((fresh(), ufunc.at(t.dst, grid_index(), t.updates)))),
        t.way(f"{copy}{name}(flat dst, flat indices computed from indices, updates)",
              lambda: keep((fresh(), ufunc.at(flat, flat_index(), updates)))),
    ]


def numpy_slice(call, t):
    index = slices(call)
    return [t.way("np.copyto(dst, data[slices])", lambda: np.copyto(t.dst, t.data[index]))]


NUMPY = {
    "GatherElements": numpy_gather_elements,
    "GatherND": numpy_gather_nd,
    "ScatterElementsUpdate": numpy_scatter,
    "StridedSlice": numpy_slice,
}


# PyTorch


def torch_ways(call, threads):
    import torch

    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    t = Tensors(call)
    t.torch = torch
    t.tdata, t.tdst = torch.from_numpy(t.data), torch.from_numpy(t.dst)
    if t.indices is not None:
        if t.is_view():
            t.tindices = torch.from_numpy(t.row_indices())[:, None].expand(t.indices.shape)
        else:
            t.tindices = torch.from_numpy(t.indices)
        if t.tindices.dtype != torch.int64:
            narrow = t.tindices
            t.long, t.index = ".long()", lambda: narrow.long()
        else:
            t.long, t.index = "", lambda: t.tindices
    if t.updates is not None:
        t.tupdates = torch.from_numpy(t.updates)
    return t, TORCH[call["operator"]](call, t, torch)


def torch_gather_elements(call, t, torch):
    axis = call["axis"]
    ways = [t.way(f"torch.gather(data, {axis}, indices{t.long}, out=dst)", lambda: keep(torch.gather(t.tdata, axis, t.index(), out=t.tdst)))]
    if t.data.ndim == 1:
        ways.append(t.way("torch.index_select(data, 0, indices, out=dst)", lambda: keep(torch.index_select(t.tdata, 0, t.index(), out=t.tdst))))
        ways.append(t.way("torch.take(data, indices, out=dst)", lambda: keep(torch.take(t.tdata, t.index(), out=t.tdst))))
    return ways


def torch_gather_nd(call, t, torch):
    b, k = call["batch_dims"], t.indices.shape[-1]
    if b == 1:
        rows = torch.arange(t.data.shape[0])[:, None]
        wide = t.tindices.expand(*t.tindices.shape[:-1], t.data.shape[-1])
        return [
            t.way("data[arange(b)[:, None], indices[..., 0]], allocates", lambda: t.tdata[rows, t.tindices[..., 0]]),
            t.way("torch.gather(data, 1, indices.expand(rows), out=dst)", lambda: keep(torch.gather(t.tdata, 1, wide, out=t.tdst))),
        ]
    ways = [t.way("data[tuple(indices.T)], allocates", lambda: t.tdata[tuple(t.tindices.T)])]
    if k == 1:
        ids = t.tindices[:, 0]
        ways += [
            t.way("torch.index_select(data, 0, indices[:, 0], out=dst)", lambda: keep(torch.index_select(t.tdata, 0, ids, out=t.tdst))),
            t.way("torch.nn.functional.embedding(indices[:, 0], data), allocates", lambda: torch.nn.functional.embedding(ids, t.tdata)),
        ]
    elif k == t.data.ndim:
        strides = torch.tensor(t.tdata.stride())
        ways.append(t.way("torch.take(data, (indices * strides).sum(1), out=dst)",
                          lambda: keep(torch.take(t.tdata, (t.tindices * strides).sum(1), out=t.tdst))))
    return ways


def torch_scatter(call, t, torch):
    axis, reduction = call["axis"], call["reduction"]
    data, dst, updates = t.tdata, t.tdst, t.tupdates
    reduce = {"sum": "sum", "mean": "mean", "max": "amax", "none": None}[reduction]
    ways = []
    if call["in_place"]:
        if reduction == "none":
            return [t.way(f"data.scatter_({axis}, indices, updates)", lambda: keep(dst.scatter_(axis, t.index(), updates)))]
        ways.append(t.way(f'data.scatter_reduce_({axis}, indices, updates, "{reduce}")',
                          lambda: keep(dst.scatter_reduce_(axis, t.index(), updates, reduce))))
        if reduction == "sum":
            ways.append(t.way(f"data.scatter_add_({axis}, indices, updates)", lambda: keep(dst.scatter_add_(axis, t.index(), updates))))
            if t.data.ndim == 1 or t.is_view():
                ids = t.tindices if t.data.ndim == 1 else torch.from_numpy(t.row_indices())
                ways.append(t.way("data.index_add_(0, indices, updates)", lambda: keep(dst.index_add_(0, ids, updates))))
        return ways
    if reduction == "none":
        return [t.way(f"torch.scatter(data, {axis}, indices, updates, out=dst)",
                      lambda: keep(torch.scatter(data, axis, t.index(), updates, out=dst)))]
    ways.append(t.way(f'torch.scatter_reduce(data, {axis}, indices, updates, "{reduce}", out=dst)',
                      lambda: keep(torch.scatter_reduce(data, axis, t.index(), updates, reduce, out=dst))))
    if reduction == "sum":
        ways.append(t.way(f"torch.scatter_add(data, {axis}, indices, updates, out=dst)",
                          lambda: keep(torch.scatter_add(data, axis, t.index(), updates, out=dst))))
        if t.data.ndim == 1 or t.is_view():
            ids = t.tindices if t.data.ndim == 1 else torch.from_numpy(t.row_indices())
            ways.append(t.way("torch.index_add(data, 0, indices, updates, out=dst)",
                              lambda: keep(torch.index_add(data, 0, ids, updates, out=dst))))
    return ways


def torch_slice(call, t, torch):
    axes = reversed_axes(call)
    if not axes:
        index = slices(call)
        return [t.way("dst.copy_(data[slices])", lambda: keep(t.tdst.copy_(t.tdata[index])))]
    ways = [t.way(f"torch.flip(data, {axes}), allocates", lambda: torch.flip(t.tdata, axes))]
    if len(axes) == 1:
        back = torch.arange(t.data.shape[axes[0]] - 1, -1, -1)
        ways.append(t.way(f"torch.index_select(data, {axes[0]}, arange(n-1, -1, -1), out=dst)",
                          lambda: keep(torch.index_select(t.tdata, axes[0], back, out=t.tdst))))
    return ways


TORCH = {
    "GatherElements": torch_gather_elements,
    "GatherND": torch_gather_nd,
    "ScatterElementsUpdate": torch_scatter,
    "StridedSlice": torch_slice,
}


# ONNX Runtime


def onnxruntime_ways(call, threads):
    import onnxruntime

    t = Tensors(call)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3

    def way(used, model, inputs):
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
        values = {name: onnxruntime.OrtValue.ortvalue_from_numpy(x) for name, x in inputs.items()}
        binding = session.io_binding()
        for name, value in values.items():
            binding.bind_ortvalue_input(name, value)
        output = values["data"] if call["in_place"] else onnxruntime.OrtValue.ortvalue_from_numpy(t.dst)
        binding.bind_ortvalue_output("dst", output)
        held = (session, values, output)
        return t.way(used, lambda: held and session.run_with_iobinding(binding))

    return t, [way(*w) for w in ONNX[call["operator"]](call, t)]


def onnx_model(node, inputs, shape, dtype, constants=None):
    from onnx import helper, numpy_helper

    kind = helper.np_dtype_to_tensor_dtype
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        [node], "call",
        [value(name, kind(x.dtype), x.shape) for name, x in inputs.items()],
        [value("dst", kind(np.dtype(dtype)), shape)],
        [numpy_helper.from_array(x, name) for name, x in (constants or {}).items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


def onnx_node(op, inputs, **attributes):
    from onnx import helper

    return helper.make_node(op, inputs, ["dst"], **attributes)


def onnx_gather_elements(call, t):
    inputs = {"data": t.data, "indices": np.ascontiguousarray(t.indices)}
    yield "GatherElements", onnx_model(onnx_node("GatherElements", list(inputs), axis=call["axis"]), inputs, t.shape, t.dtype), inputs
    if t.data.ndim == 1:
        yield "Gather", onnx_model(onnx_node("Gather", list(inputs), axis=0), inputs, t.shape, t.dtype), inputs


def onnx_gather_nd(call, t):
    inputs = {"data": t.data, "indices": t.indices}
    b = call["batch_dims"]
    yield f"GatherND, batch_dims {b}", onnx_model(onnx_node("GatherND", list(inputs), batch_dims=b), inputs, t.shape, t.dtype), inputs
    if b == 0 and t.indices.shape[-1] == 1:
        inputs = {"data": t.data, "indices": t.indices[..., 0].copy()}
        yield "Gather, axis 0, indices[:, 0]", onnx_model(onnx_node("Gather", list(inputs), axis=0), inputs, t.shape, t.dtype), inputs


def onnx_scatter(call, t):
    reduction = {"none": "none", "sum": "add", "max": "max"}.get(call["reduction"])
    if reduction is None:
        raise Lacks(f"no reduction {call['reduction']}")
    place = ", data and dst the same buffer" if call["in_place"] else ""
    inputs = {"data": t.data, "indices": np.ascontiguousarray(t.indices), "updates": t.updates}
    written = ", indices written out beforehand" if t.is_view() else ""
    node = onnx_node("ScatterElements", list(inputs), axis=call["axis"], reduction=reduction)
    yield f"ScatterElements, {reduction}{written}{place}", onnx_model(node, inputs, t.shape, t.dtype), inputs
    if t.is_view() or t.data.ndim == 1:
        rows = t.indices[:, :1].copy() if t.is_view() else t.indices[:, None]
        inputs = {"data": t.data, "indices": rows, "updates": t.updates}
        node = onnx_node("ScatterND", list(inputs), reduction=reduction)
        yield f"ScatterND, {reduction}, an index a row{place}", onnx_model(node, inputs, t.shape, t.dtype), inputs


def onnx_slice(call, t):
    cuts = call["cuts"]
    inputs = {"data": t.data}
    shrunk = [d for d, c in enumerate(cuts) if c["shrunk"]]
    if shrunk:
        node = onnx_node("Gather", ["data", "at"], axis=shrunk[0])
        yield f"Gather, axis {shrunk[0]}, scalar index", onnx_model(node, inputs, t.shape, t.dtype, {"at": np.array(cuts[shrunk[0]]["begin"])}), inputs
        return
    ends = [c["begin"] + c["count"] * c["stride"] for c in cuts]
    whole = [c["count"] == n and c["stride"] == 1 for c, n in zip(cuts, t.data.shape)]
    axes = [d for d, w in enumerate(whole) if not w]
    constants = {
        "starts": np.array([cuts[d]["begin"] for d in axes]),
        "ends": np.array([ends[d] if ends[d] >= 0 else -t.data.shape[d] - 1 for d in axes]),
        "axes": np.array(axes),
        "steps": np.array([cuts[d]["stride"] for d in axes]),
    }
    yield "Slice", onnx_model(onnx_node("Slice", ["data", *constants]), inputs, t.shape, t.dtype, constants), inputs


ONNX = {
    "GatherElements": onnx_gather_elements,
    "GatherND": onnx_gather_nd,
    "ScatterElementsUpdate": onnx_scatter,
    "StridedSlice": onnx_slice,
}


# OpenVINO


def openvino_ways(call, threads):
    sys.modules["openvino_telemetry"] = None  # it forks a process that reports home
    import openvino

    t = Tensors(call)
    core = openvino.Core()
    config = {
        "INFERENCE_NUM_THREADS": threads,
        "NUM_STREAMS": 1,
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "f32",
        "ENABLE_CPU_PINNING": False,
    }

    def way(used, build, inputs):
        parameters = [openvino.opset12.parameter(list(x.shape), x.dtype) for x in inputs]
        model = openvino.Model([build(openvino, *parameters)], parameters)
        request = core.compile_model(model, "CPU", config).create_infer_request()
        tensors = [openvino.Tensor(x, shared_memory=True) for x in inputs]
        for i, x in enumerate(tensors):
            request.set_input_tensor(i, x)
        output = tensors[0] if call["in_place"] else openvino.Tensor(t.dst, shared_memory=True)
        request.set_output_tensor(output)
        held = (tensors, output)

        return t.way(used, lambda: held and keep(request.infer(share_outputs=True)))

    return t, [way(*w) for w in OPENVINO[call["operator"]](call, t)]


def openvino_gather_elements(call, t):
    yield "GatherElements-6", lambda ov, d, i: ov.opset6.gather_elements(d, i, call["axis"]), [t.data, np.ascontiguousarray(t.indices)]
    if t.data.ndim == 1:
        yield "Gather-8", lambda ov, d, i: ov.opset8.gather(d, i, ov.opset8.constant(0)), [t.data, t.indices]


def openvino_gather_nd(call, t):
    b = call["batch_dims"]
    yield f"GatherND-8, batch_dims {b}", lambda ov, d, i: ov.opset8.gather_nd(d, i, b), [t.data, t.indices]
    if b == 0 and t.indices.shape[-1] == 1:
        ids = t.indices[..., 0].copy()
        yield "Gather-8, axis 0, indices[:, 0]", lambda ov, d, i: ov.opset8.gather(d, i, ov.opset8.constant(0)), [t.data, ids]


def openvino_scatter(call, t):
    place = ", data and dst the same tensor" if call["in_place"] else ""
    written = ", indices written out beforehand" if t.is_view() else ""
    inputs = [t.data, np.ascontiguousarray(t.indices), t.updates]
    yield (
        f"ScatterElementsUpdate-12, {call['reduction']}{written}{place}",
        lambda ov, d, i, u: ov.opset12.scatter_elements_update(
            d, i, u, ov.opset12.constant(call["axis"]), reduction=call["reduction"], use_init_val=True),
        inputs,
    )
    if t.is_view() or t.data.ndim == 1:
        import openvino

        rows = t.indices[:, :1].copy() if t.is_view() else t.indices[:, None]
        if hasattr(openvino, "opset15"):
            yield (
                f"ScatterNDUpdate-15, {call['reduction']}, an index a row{place}",
                lambda ov, d, i, u: ov.opset15.scatter_nd_update(d, i, u, reduction=call["reduction"]),
                [t.data, rows, t.updates],
            )


def openvino_slice(call, t):
    cuts = call["cuts"]
    whole = [int(not c["shrunk"] and c["count"] == (n - 1) // abs(c["stride"]) + 1) for c, n in zip(cuts, t.data.shape)]
    ends = [c["begin"] + c["count"] * c["stride"] for c in cuts]

    def build(ov, data):
        constant = ov.opset1.constant
        return ov.opset1.strided_slice(
            data, constant([c["begin"] for c in cuts]), constant(ends), constant([c["stride"] for c in cuts]),
            begin_mask=whole, end_mask=whole, shrink_axis_mask=[int(c["shrunk"]) for c in cuts])

    yield "StridedSlice-1", build, [t.data]


OPENVINO = {
    "GatherElements": openvino_gather_elements,
    "GatherND": openvino_gather_nd,
    "ScatterElementsUpdate": openvino_scatter,
    "StridedSlice": openvino_slice,
}


PEERS = {"numpy": numpy_ways, "torch": torch_ways, "onnxruntime": onnxruntime_ways, "openvino": openvino_ways}


class Server:
    def __init__(self, ways, threads):
        self.ways, self.threads = ways, threads
        self.release({})

    def prepare(self, request):
        self.release({})
        self.tensors, ways = self.ways(request["call"], self.threads)
        ways = [way for way in ways if way.used not in request.get("avoid", [])]
        if not ways:
            raise Lacks("no other way")
        if len(ways) > 1:
            self.rank(ways)
        self.way, self.last = ways[0], 0
        return {"used": self.way.used}

    def rank(self, ways):
        """Runs the ways in turn, and sorts them by their least times.

        Those that are much slower than the fastest run once.
        """
        least, last = {}, {}
        for trial in range(TRIALS):
            for way in ways:
                if trial > 0 and least[way] > 2 * min(least.values()) or last.get(way, 0) > LONG:
                    continue
                self.way, self.last = way, last.get(way, 0)
                ns = self.run({"calls": 1})["ns"]
                least[way], last[way] = min(ns, least.get(way, ns)), self.last
                way.reset()
        ways.sort(key=least.get)

    def result(self, request):
        self.way.reset()
        self.way.run()
        self.way.result().tofile(request["file"])
        self.way.reset()
        return {}

    def run(self, request):
        call = self.way.run
        start = time.perf_counter_ns()
        while self.last < LONG:
            call()
            if time.perf_counter_ns() - start >= SETTLE:
                break
        start = time.perf_counter_ns()
        for _ in range(request["calls"]):
            call()
        ns = time.perf_counter_ns() - start
        self.last = ns / request["calls"]
        return {"ns": ns}

    def release(self, request):
        self.way, self.tensors, self.last = None, None, 0
        gc.collect()
        return {}

    def answer(self, request):
        try:
            return getattr(self, request["do"])(request)
        except Lacks as e:
            return {"lacks": f"no such call: {e}"}
        except Exception as e:  # the harness names it
            return {"error": f"{type(e).__name__}: {e}"}


def main():
    name, threads = sys.argv[1], int(sys.argv[2])
    # What libraries print must not get between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def write(reply):
        answers.write(json.dumps(reply) + "\n")
        answers.flush()

    module = __import__(name)
    import drawn  # it needs this module

    def ways(call, threads):
        return drawn.ways(name, call, threads) if call.get("drawn") else PEERS[name](call, threads)

    server = Server(ways, threads)
    gc.disable()
    write({"version": importlib.metadata.version(name) if name != "torch" else module.__version__})
    for line in sys.stdin:
        write(server.answer(json.loads(line)))


if __name__ == "__main__":
    main()
