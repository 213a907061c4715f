"""Writes the test directories of the installed `onnx` package: see scripts/official-tests."""
import hashlib
import json
import pathlib
import shutil
import sys
import warnings

import numpy as np
import onnx
import onnx.backend.test
from onnx import numpy_helper
from onnx.backend.test.loader import load_model_tests

USUAL = (1e-3, 1e-7)  # rtol and atol of a test that says nothing
COPIED = ("simple", "pytorch-converted", "pytorch-operator")
DATA = pathlib.Path(onnx.backend.test.__file__).parent / "data"


def message_of(value, info):
    """The protobuf message of one input or output; None for an absent one."""
    if isinstance(value, (onnx.TensorProto, onnx.SequenceProto, onnx.OptionalProto, onnx.MapProto)):
        return value
    kind = info.type.WhichOneof("value")
    if kind == "optional_type":
        return numpy_helper.from_optional(value, info.name)
    if value is None:
        return None
    if kind == "sequence_type":
        return numpy_helper.from_list(value, info.name)
    if kind == "map_type":
        return numpy_helper.from_dict(value, info.name)
    return numpy_helper.from_array(np.asarray(value), info.name)


def write_set(folder, prefix, values, infos):
    if len(values) > len(infos):
        raise ValueError(f"{folder}: {len(values)} values for {len(infos)} {prefix}s")
    for k, (value, info) in enumerate(zip(values, infos)):
        message = message_of(value, info)
        if message is not None:
            (folder / f"{prefix}_{k}.pb").write_bytes(message.SerializeToString(deterministic=True))


def write_tolerance(folder, rtol, atol):
    if (rtol, atol) != USUAL:
        (folder / "tolerance.json").write_text(json.dumps({"rtol": rtol, "atol": atol}) + "\n")


def write_case(folder, model, data_sets, tolerance):
    folder.mkdir(parents=True)
    model_bytes = model if isinstance(model, bytes) else model.SerializeToString(deterministic=True)
    (folder / "model.onnx").write_bytes(model_bytes)
    graph = onnx.load_from_string(model_bytes).graph
    initialized = {tensor.name for tensor in graph.initializer}
    given = [info for info in graph.input if info.name not in initialized]
    for n, (inputs, outputs) in enumerate(data_sets):
        data_set = folder / f"test_data_set_{n}"
        data_set.mkdir()
        write_set(data_set, "input", inputs, given if len(inputs) <= len(given) else graph.input)
        write_set(data_set, "output", outputs, graph.output)
    write_tolerance(folder, *tolerance)


def write_node_tests(target):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # overflow in casts is what many of the tests are about
        cases = load_model_tests(kind="node")
    for case in sorted(cases, key=lambda case: case.name):
        write_case(target / case.name, case.model, case.data_sets, (case.rtol, case.atol))


def ramp(info):
    """The input that the official runner makes up for a light model: 0, 1/n, 2/n, ..."""
    dims = info.type.tensor_type.shape.dim
    shape = [dim.dim_value if dim.HasField("dim_value") else 1 for dim in dims]
    count = int(np.prod(shape))
    return (np.arange(count).reshape(shape) / count).astype(np.float32)


def write_light_tests(target):
    for path in sorted((DATA / "light").glob("*.onnx")):
        name = path.stem.removeprefix("light_")
        graph = onnx.load(path).graph
        initialized = {tensor.name for tensor in graph.initializer}
        inputs = [ramp(info) for info in graph.input if info.name not in initialized]
        outputs = [
            onnx.load_tensor(path.with_name(f"{path.stem}_output_{k}.pb"))
            for k in range(len(graph.output))
        ]
        descriptor = json.loads((DATA / "real" / f"test_{name}" / "data.json").read_text())
        tolerance = (descriptor["rtol"], descriptor["atol"])
        write_case(target / f"test_{name}", path.read_bytes(), [(inputs, outputs)], tolerance)


def copy_tests(kind, target):
    for source in sorted((DATA / kind).iterdir()):
        if not (source / "model.onnx").is_file():
            continue
        folder = target / source.name
        shutil.copytree(source, folder, ignore=shutil.ignore_patterns("data.json", "__pycache__"))
        if (source / "data.json").is_file():
            descriptor = json.loads((source / "data.json").read_text())
            rtol, atol = descriptor.get("rtol", USUAL[0]), descriptor.get("atol", USUAL[1])
            write_tolerance(folder, rtol, atol)


def main():
    target = pathlib.Path(sys.argv[1])
    stamp = target / "manifest.json"
    script = hashlib.sha256(pathlib.Path(__file__).read_bytes()).hexdigest()
    wanted = {"package": "onnx", "version": onnx.__version__, "script": script}
    if stamp.is_file() and json.loads(stamp.read_text()) == wanted:
        print(f"official-tests: {target} is complete")
        return
    for kind in ("node", "light", *COPIED):
        shutil.rmtree(target / kind, ignore_errors=True)
    write_node_tests(target / "node")
    write_light_tests(target / "light")
    for kind in COPIED:
        copy_tests(kind, target / kind)
    stamp.write_text(json.dumps(wanted, indent=1) + "\n")
    count = sum(1 for _ in target.rglob("model.onnx"))
    print(f"official-tests: {count} tests of onnx {onnx.__version__} in {target}")


if __name__ == "__main__":
    main()
