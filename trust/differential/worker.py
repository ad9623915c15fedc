"""Makes calls with one Python library: worker.py NAME.

A frame is the length of a JSON text, the text, the length of a payload, the
payload; lengths are 4 bytes, little-endian. The first frame out has the
library's version. A frame in is a group of calls which share all but shapes,
values and the bounds of slices: its payload is their tensors, in order. Each call is
answered by a frame with the shape of the result, whose bytes are the payload, or
with an error.
"""

import ctypes
import functools
import json
import math
import os
import struct
import sys

import numpy as np

# The element types, by ONNX's numbers. bfloat16 travels as uint16. A string is
# the decimal digits of the uint64 that stands for it; none at all are those of its largest number.
BFLOAT16, STRING = 16, 8
DTYPES = {1: "<f4", 2: "u1", 3: "i1", 4: "<u2", 5: "<i2", 6: "<i4", 7: "<i8", STRING: "<u8", 9: "?", 10: "<f2", 11: "<f8",
          12: "<u4", 13: "<u8", 14: "<c8", 15: "<c16", BFLOAT16: "<u2"}


def entries(group, case):
    """The entries of a slice, each its kind and its begin, end and stride."""
    kinds = []
    for i in range(len(case["begin"])):
        kind = "range"
        for name in ("ellipsis", "new_axis", "shrink_axis"):  # the first that is set wins
            if group[name + "_mask"][i]:
                kind = name
                break
        kinds.append((kind, None if group["begin_mask"][i] else case["begin"][i],
                      None if group["end_mask"][i] else case["end"][i], case["strides"][i]))
    return kinds


# ONNX Runtime


def onnxruntime_call(group):
    import onnxruntime
    from onnx import TensorProto, helper

    op, kind, index, rank = group["op"], group["type"], group["index_type"], group["rank"]
    value = helper.make_tensor_value_info
    any_shape = [None] * rank
    inputs = [value("data", kind, any_shape)]
    attributes = {}
    if op in ("StridedSlice", "Slice"):
        op = "Slice"
        inputs += [value(n, TensorProto.INT64, [None]) for n in ("starts", "ends", "axes", "steps")]
    elif op == "Compress":
        inputs.append(value("condition", TensorProto.BOOL, [None]))
        if group["axis"] is not None:
            attributes["axis"] = group["axis"]
    elif op in ("GatherND", "ScatterNDUpdate"):
        inputs.append(value("indices", index, [None] * (group["index_rank"] - 1) + [group["tuple"]]))
        if op == "GatherND":
            attributes["batch_dims"] = group["batch_dims"]
    else:
        inputs.append(value("indices", index, [None] * group["index_rank"]))
        attributes["axis"] = group["axis"]
    if op in ("ScatterElementsUpdate", "ScatterNDUpdate"):
        op = "ScatterElements" if op == "ScatterElementsUpdate" else "ScatterND"
        inputs.append(value("updates", kind, [None] * group["update_rank"]))
        attributes["reduction"] = {"none": "none", "sum": "add", "prod": "mul", "min": "min", "max": "max"}[group["reduction"]]
    node = helper.make_node(op, [i.name for i in inputs], ["out"], **attributes)
    graph = helper.make_graph([node], "call", inputs, [value("out", kind, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
    ort_value = onnxruntime.OrtValue

    def tensor(x):
        if kind == BFLOAT16:
            return ort_value.ortvalue_from_numpy_with_onnx_type(x, BFLOAT16)
        return ort_value.ortvalue_from_numpy(x)

    def call_strings(case, data, indices, updates, condition, _):
        feeds = {"data": data.astype(str).astype(object)}
        if condition is not None:
            feeds["condition"] = condition
        if indices is not None:
            feeds["indices"] = indices
        if updates is not None:
            feeds["updates"] = updates.astype(str).astype(object)
        if op == "Slice":
            feeds.update((n, np.array(v, np.int64)) for n, v in onnx_bounds(group, case).items())
        out = session.run(["out"], feeds)[0]
        return np.where(out == "", str(2**64 - 1), out).astype(np.uint64)

    def call(case, data, indices, updates, condition, _):
        feeds = {"data": tensor(data)}
        if condition is not None:
            feeds["condition"] = ort_value.ortvalue_from_numpy(condition)
        if indices is not None:
            feeds["indices"] = ort_value.ortvalue_from_numpy(indices)
        if updates is not None:
            feeds["updates"] = tensor(updates)
        if op == "Slice":
            bounds = onnx_bounds(group, case)
            feeds.update((n, ort_value.ortvalue_from_numpy(np.array(v, np.int64))) for n, v in bounds.items())
        if kind != BFLOAT16:
            return session.run_with_ort_values(["out"], feeds)[0].numpy()
        # NumPy has no bfloat16: the output is read from where it is.
        binding = session.io_binding()
        for name, v in feeds.items():
            binding.bind_ortvalue_input(name, v)
        binding.bind_output("out", "cpu")
        session.run_with_iobinding(binding)
        out = binding.get_outputs()[0]
        n = math.prod(out.shape())
        return np.frombuffer(ctypes.string_at(out.data_ptr(), 2 * n) if n else b"", np.uint16).reshape(out.shape())

    return call_strings if kind == STRING else call


def onnx_bounds(group, case):
    """Slice's inputs; a masked bound is one that clamps to the end of the axis."""
    if group["op"] in ("Slice", "SliceScatter"):
        return {"starts": case["begin"] or [], "ends": case["end"] or [], "axes": group["axes"] or [], "steps": case["strides"] or []}
    least, most = -2**63, 2**63 - 1
    starts, ends, steps = [], [], []
    for kind, begin, end, stride in entries(group, case):
        assert kind == "range"
        forward = stride > 0
        starts.append(begin if begin is not None else least if forward else most)
        ends.append(end if end is not None else most if forward else least)
        steps.append(stride)
    return {"starts": starts, "ends": ends, "axes": list(range(len(starts))), "steps": steps}


# OpenVINO


def openvino_call(group):
    import openvino
    from openvino import opset1, opset6, opset8, opset12, opset15

    names = {1: "f32", 2: "u8", 3: "i8", 4: "u16", 5: "i16", 6: "i32", 7: "i64", 9: "boolean", 10: "f16", 11: "f64", 12: "u32", 13: "u64", BFLOAT16: "bf16"}
    kinds = {t: getattr(openvino.Type, n) for t, n in names.items()}
    op, kind, index, rank = group["op"], group["type"], group["index_type"], group["rank"]
    any_shape = [-1] * rank
    data = opset1.parameter(any_shape, kinds[kind])
    parameters = [data]

    def parameter(shape, kind):
        parameters.append(opset1.parameter(shape, kind))
        return parameters[-1]

    if op == "GatherElements":
        node = opset6.gather_elements(data, parameter(any_shape, kinds[index]), group["axis"])
    elif op == "GatherND":
        node = opset8.gather_nd(data, parameter([-1] * (group["index_rank"] - 1) + [group["tuple"]], kinds[index]), group["batch_dims"])
    elif op == "Gather":
        node = opset8.gather(data, parameter([-1] * group["index_rank"], kinds[index]), opset1.constant(group["axis"], dtype=np.int64), group["batch_dims"])
    elif op == "ScatterNDUpdate":
        node = opset15.scatter_nd_update(
            data, parameter([-1] * (group["index_rank"] - 1) + [group["tuple"]], kinds[index]),
            parameter([-1] * group["update_rank"], kinds[kind]), reduction=group["reduction"])
    elif op == "ScatterElementsUpdate":
        node = opset12.scatter_elements_update(
            data, parameter(any_shape, kinds[index]), parameter(any_shape, kinds[kind]), opset1.constant(group["axis"], dtype=np.int64),
            reduction=group["reduction"], use_init_val=not group["ignore_init"])
    elif op == "Slice":
        axes = np.array(group["axes"] or [], np.int64)
        bounds = [parameter([len(axes)], openvino.Type.i64) for _ in range(3)]
        node = opset8.slice(data, *bounds, opset1.constant(axes, dtype=np.int64))
    elif op == "EmbeddingBag":
        indices, offsets = (parameter([-1], kinds[index]) for _ in range(2))
        default = group["default_index"]
        if default is not None:
            default = opset1.constant(default, dtype={6: np.int32, 7: np.int64}[index])
        node = opset15.embedding_bag_offsets(data, indices, offsets, default, reduction=group["reduction"])
    else:
        n = len(group["begin_mask"])
        masks = {name: [int(b) for b in group[name]] for name in ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")}
        bounds = [parameter([n], openvino.Type.i64) for _ in range(3)]
        node = opset1.strided_slice(data, *bounds, **masks)
    config = {"INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32", "ENABLE_CPU_PINNING": False}
    request = openvino_core().compile_model(openvino.Model([node], parameters), "CPU", config).create_infer_request()

    def tensor(x):
        if kind == BFLOAT16 and x.dtype == np.uint16:
            return openvino.Tensor(x, x.shape, openvino.Type.bf16)
        return openvino.Tensor(x)

    def call(case, data, indices, updates, _, offsets):
        inputs = [data] + [x for x in (indices, offsets, updates) if x is not None]
        if op in ("StridedSlice", "Slice"):
            inputs += [np.array(case[k] or [], np.int64) for k in ("begin", "end", "strides")]
        for i, x in enumerate(inputs):
            request.set_input_tensor(i, tensor(x))
        request.infer()
        return np.array(request.get_output_tensor().data)

    return call


@functools.cache
def openvino_core():
    import openvino

    return openvino.Core()


# PyTorch


def torch_call(group):
    import torch

    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    op, kind, axis = group["op"], group["type"], group["axis"]

    def tensor(x):
        return torch.from_numpy(x.view(np.int16)).view(torch.bfloat16) if kind == BFLOAT16 else torch.from_numpy(x)

    def reduced(data, axis, indices, updates):
        if group["reduction"] == "none":
            return torch.scatter(data, axis, indices, updates)
        reduce = {"sum": "sum", "prod": "prod", "min": "amin", "max": "amax", "mean": "mean"}[group["reduction"]]
        return torch.scatter_reduce(data, axis, indices, updates, reduce, include_self=not group["ignore_init"])

    def compute(case, data, indices, updates, condition, offsets):
        if op in ("GatherElements", "ScatterElementsUpdate"):
            # They count from the front alone. What is below -d stays below 0.
            indices = torch.where((indices < 0) & (indices >= -data.shape[axis]), indices + data.shape[axis], indices)
        if op == "GatherElements":
            return torch.gather(data, axis, indices)
        if op == "GatherND":
            batch = group["batch_dims"]
            around = indices.dim() - 1
            where = [torch.arange(n).view([-1 if d == b else 1 for d in range(around)]) for b, n in enumerate(data.shape[:batch])]
            return data[tuple(where) + tuple(indices[..., i] for i in range(indices.shape[-1]))]
        if op == "ScatterElementsUpdate":
            return reduced(data, axis, indices, updates)
        if op == "Gather":
            batch = group["batch_dims"]
            front = axis % data.dim()
            around = list(data.shape[batch:front])
            where = [torch.arange(n).view([-1 if d == b else 1 for d in range(batch)] + [1] * (indices.dim() - batch))
                     for b, n in enumerate(data.shape[:batch])]
            # What is indexed together has to stand together.
            picked = data.permute([*range(batch), front, *range(batch, front), *range(front + 1, data.dim())])[tuple(where) + (indices,)]
            q = indices.dim()
            return picked.permute([*range(batch), *range(q, q + len(around)), *range(batch, q), *range(q + len(around), picked.dim())])
        if op == "Compress":
            if axis is None:
                return data.reshape(-1)[: condition.numel()][condition]
            return torch.index_select(data, axis, torch.nonzero(condition).flatten())
        if op == "EmbeddingBag":
            rows = data.reshape(data.shape[0], math.prod(data.shape[1:]))
            bags = torch.nn.functional.embedding_bag(indices, rows, offsets, mode=group["reduction"], per_sample_weights=updates)
            return bags.reshape(offsets.shape + data.shape[1:])
        if op == "ScatterNDUpdate":
            k = group["tuple"]
            rows = torch.zeros(indices.shape[:-1], dtype=torch.long)
            for i, n in enumerate(data.shape[:k]):
                rows = rows * n + torch.where(indices[..., i] < 0, indices[..., i] + n, indices[..., i])
            part = math.prod(data.shape[k:])
            flat = rows.reshape(-1, 1).expand(-1, part)
            return reduced(data.reshape(math.prod(data.shape[:k]), part), 0, flat, updates.reshape(flat.shape)).reshape(data.shape)
        if op == "SliceScatter":
            out = data.clone()
            out[torch_index(group, case)] = updates
            return out
        return data[torch_index(group, case)]

    def call(case, data, indices, updates, condition, offsets):
        x = tensor(data)
        i, o = (None if t is None else torch.from_numpy(t).long() for t in (indices, offsets))
        c = None if condition is None else torch.from_numpy(condition)
        out = compute(case, x, i, None if updates is None else tensor(updates), c, o).contiguous()
        return out.view(torch.int16).numpy() if kind == BFLOAT16 else out.numpy()

    return call


def torch_index(group, case):
    if group["op"] in ("Slice", "SliceScatter"):
        index = [slice(None)] * group["rank"]
        for i, axis in enumerate(group["axes"] or []):
            index[axis] = slice(case["begin"][i], case["end"][i], case["strides"][i])
        return tuple(index)
    index = []
    for kind, begin, end, stride in entries(group, case):
        if kind == "ellipsis":
            index.append(Ellipsis)
        elif kind == "new_axis":
            index.append(None)
        elif kind == "shrink_axis":
            index.append(0 if begin is None else begin)
        else:
            index.append(slice(begin, end, stride))
    return tuple(index)


# JAX, whose gather and scatter are XLA's


def jax_call(group):
    import jax
    from jax import lax

    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_enable_x64", True)
    kind = group["type"]
    inside = lax.GatherScatterMode.PROMISE_IN_BOUNDS  # XLA's own gather and scatter, with nothing before them
    scatters = {"none": lax.scatter, "sum": lax.scatter_add, "prod": lax.scatter_mul, "min": lax.scatter_min, "max": lax.scatter_max}

    def axes(dims, name):
        return tuple(dims[name] or ())

    def call(case, data, indices, updates, _, __):
        dims = case["gather"] or case["scatter"]
        vector = dims["IndexVectorDim"]
        # JAX has the axis of the components last.
        if vector == indices.ndim:
            indices = indices[..., None]
        indices = np.moveaxis(indices, vector, -1)

        def batching(name):
            return tuple(d - (d > vector) for d in axes(dims, name))

        if kind == BFLOAT16:
            bfloat16 = jax.numpy.bfloat16
            data, updates = data.view(bfloat16), None if updates is None else updates.view(bfloat16)
        if case["gather"]:
            numbers = lax.GatherDimensionNumbers(
                offset_dims=axes(dims, "OffsetDims"), collapsed_slice_dims=axes(dims, "CollapsedSliceDims"), start_index_map=axes(dims, "StartIndexMap"),
                operand_batching_dims=axes(dims, "OperandBatchingDims"), start_indices_batching_dims=batching("StartIndicesBatchingDims"))
            out = lax.gather(data, indices, numbers, axes(dims, "SliceSizes"), mode=inside)
        else:
            numbers = lax.ScatterDimensionNumbers(
                update_window_dims=axes(dims, "UpdateWindowDims"), inserted_window_dims=axes(dims, "InsertedWindowDims"),
                scatter_dims_to_operand_dims=axes(dims, "ScatterDimsToOperandDims"),
                operand_batching_dims=axes(dims, "InputBatchingDims"), scatter_indices_batching_dims=batching("ScatterIndicesBatchingDims"))
            out = scatters[group["reduction"]](data, indices, updates, numbers, mode=inside)
        out = np.asarray(out)
        return out.view(np.uint16) if kind == BFLOAT16 else out

    return call


PEERS = {"onnxruntime": onnxruntime_call, "openvino": openvino_call, "torch": torch_call, "jax": jax_call}


def read(stream):
    size = stream.read(4)
    if not size:
        return None, None
    header = json.loads(stream.read(*struct.unpack("<I", size)))
    return header, stream.read(*struct.unpack("<I", stream.read(4)))


def write(stream, header, payload=b""):
    text = json.dumps(header).encode()
    stream.write(struct.pack("<I", len(text)) + text + struct.pack("<I", len(payload)) + payload)
    stream.flush()


def prepared(prepare, group):
    """The function that makes a group's calls; one that can't be had raises on each."""
    try:
        return prepare(group)
    except Exception as e:
        failure = e

    def fail(*_):
        raise failure

    return fail


def main():
    name = sys.argv[1]
    # OpenVINO would report home, from a process of its own which outlives this one.
    sys.modules["openvino_telemetry"] = None
    module = __import__(name)
    # What libraries print must not get between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    write(answers, {"version": module.__version__})
    while True:
        group, payload = read(sys.stdin.buffer)
        if group is None:
            return
        call, at = prepared(PEERS[name], group), 0
        for case in group["cases"]:
            tensors = []
            for role, kind in (("data", group["type"]), ("indices", group["index_type"]), ("updates", group["type"]),
                               ("condition", 9), ("offsets", group["index_type"])):
                shape = case[role]
                if shape is None:
                    tensors.append(None)
                    continue
                n = math.prod(shape)
                tensors.append(np.frombuffer(payload, DTYPES[kind], n, at).reshape(shape).copy())
                at += n * tensors[-1].itemsize
            try:
                out = call(case, *tensors)
                reply, result = {"shape": list(out.shape)}, np.ascontiguousarray(out).tobytes()
            except Exception as e:
                reply, result = {"error": f"{type(e).__name__}: {e}"}, b""
            write(answers, reply, result)


if __name__ == "__main__":
    main()
