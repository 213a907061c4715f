"""The onnx package's own ReferenceEvaluator."""

import numpy
import onnx
from onnx import TensorProto, numpy_helper
from onnx.reference import ReferenceEvaluator
from onnxv_worker import Unsupported, serve

NOT_SUPPORTED = ("No implementation for", "is not implemented", "No registered implementation", "not supported")


def sorted_out(error):
    text = " ".join(str(error).split())
    if isinstance(error, NotImplementedError) or any(mark in text for mark in NOT_SUPPORTED):
        return Unsupported(f"{type(error).__name__}: {text}")
    return error


def python_value(proto):
    if isinstance(proto, TensorProto):
        return numpy_helper.to_array(proto)
    if isinstance(proto, onnx.SequenceProto):
        return numpy_helper.to_list(proto)
    if isinstance(proto, onnx.OptionalProto):
        return numpy_helper.to_optional(proto)
    if isinstance(proto, onnx.MapProto):
        return numpy_helper.to_dict(proto)
    raise Unsupported("sparse tensors cannot be bound")


def tensor_of(value):
    array = numpy.asarray(value)
    if array.dtype == object or array.dtype.kind in "US":
        flat = [text if isinstance(text, bytes) else str(text).encode() for text in array.reshape(-1).tolist()]
        return onnx.helper.make_tensor("", TensorProto.STRING, array.shape, flat)
    return numpy_helper.from_array(array)


def map_of(value):
    keys = list(value)
    proto = onnx.MapProto()
    if keys and isinstance(keys[0], (str, bytes)):
        proto.key_type = TensorProto.STRING
        proto.string_keys.extend(k if isinstance(k, bytes) else k.encode() for k in keys)
    else:
        proto.key_type = TensorProto.INT64
        proto.keys.extend(int(k) for k in keys)
    proto.values.elem_type = onnx.SequenceProto.TENSOR
    proto.values.tensor_values.extend(
        tensor_of(numpy.float32(value[k]) if isinstance(value[k], float) else value[k]) for k in keys)
    return proto


def sequence_of(items):
    proto = onnx.SequenceProto()
    if items and isinstance(items[0], dict):
        proto.elem_type = onnx.SequenceProto.MAP
        proto.map_values.extend(map_of(item) for item in items)
    elif items and isinstance(items[0], (list, tuple)):
        proto.elem_type = onnx.SequenceProto.SEQUENCE
        proto.sequence_values.extend(sequence_of(item) for item in items)
    else:
        proto.elem_type = onnx.SequenceProto.TENSOR
        proto.tensor_values.extend(tensor_of(item) for item in items)
    return proto


def proto_of(value, declared):
    if declared.HasField("optional_type"):
        if value is None:
            return None
        proto = onnx.OptionalProto()
        if isinstance(value, (list, tuple)):
            proto.elem_type = onnx.OptionalProto.SEQUENCE
            proto.sequence_value.CopyFrom(sequence_of(value))
        else:
            proto.elem_type = onnx.OptionalProto.TENSOR
            proto.tensor_value.CopyFrom(tensor_of(value))
        return proto
    if isinstance(value, (list, tuple)):
        return sequence_of(value)
    if isinstance(value, dict):
        return map_of(value)
    return tensor_of(value)


class Evaluator:
    def __init__(self, path, options):
        if options:
            raise ValueError(f"no such option: {', '.join(options)}")
        model = onnx.load(path)
        initial = {i.name for i in model.graph.initializer} | {
            s.values.name for s in model.graph.sparse_initializer}
        self.inputs = [port.name for port in model.graph.input if port.name not in initial]
        self.types = {port.name: port.type for port in model.graph.output}
        try:
            self.evaluator = ReferenceEvaluator(model)
        except Exception as error:
            raise sorted_out(error) from error

    def __call__(self, inputs, want):
        given = {n: python_value(p) for n, p in zip(self.inputs, inputs) if p is not None}
        for name, proto in zip(self.inputs, inputs):
            if proto is None:
                given[name] = None
        try:
            with numpy.errstate(all="ignore"):
                values = self.evaluator.run(want, given)
        except Exception as error:
            raise sorted_out(error) from error
        return [proto_of(value, self.types[name]) for name, value in zip(want, values)]


serve("onnx-reference", onnx.__version__, Evaluator, device="cpu")
