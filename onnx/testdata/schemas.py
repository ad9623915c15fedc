# Writes what the onnx package says of the operators that are here, as JSON: of element
# types those alone that are here as well. schemas.json is what onnx 1.23.2 says:
#
#	pip install onnx==1.23.2 && python3 schemas.py > schemas.json
import json

import onnx

OPERATORS = ["Compress", "Constant", "Gather", "GatherElements", "GatherND", "Identity", "Scatter", "ScatterElements", "ScatterND", "Slice", "TensorScatter"]
TYPES = {"float", "uint8", "int8", "uint16", "int16", "int32", "int64", "string", "bool", "float16", "double", "uint32", "uint64",
         "complex64", "complex128", "bfloat16"}


def describe(schema):
    constraints = {c.type_param_str: c.allowed_type_strs for c in schema.type_constraints}

    def types(parameter):
        names = (t.removeprefix("tensor(").removesuffix(")") for t in constraints.get(parameter.type_str, [parameter.type_str]))
        return " ".join(sorted(TYPES.intersection(names)))

    return {
        "op": schema.name,
        "since": schema.since_version,
        "deprecated": schema.deprecated,
        "output": types(schema.outputs[0]) if schema.outputs else "",
        "inputs": [{"name": p.name, "types": types(p), "variable": p.type_str, "optional": p.option == onnx.defs.OpSchema.FormalParameterOption.Optional}
                   for p in schema.inputs],
        "attributes": [{"name": a.name, "type": a.type.name, "required": a.required} for a in sorted(schema.attributes.values(), key=lambda a: a.name)],
    }


schemas = [s for s in onnx.defs.get_all_schemas_with_history() if s.domain == "" and s.name in OPERATORS]
schemas.sort(key=lambda s: (s.name, s.since_version))
print(f'{{"onnx": "{onnx.__version__}", "opset": {onnx.defs.onnx_opset_version()}, "schemas": [')
print(",\n".join(json.dumps(describe(s)) for s in schemas) + "\n]}")
