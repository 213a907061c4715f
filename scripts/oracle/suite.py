"""The list of operators, and how their cases become test directories in the official layout."""
import pathlib
from dataclasses import dataclass, field

import onnx
from onnx import helper

from oracle.draw import Draw
from oracle.formats import FLOATS
from oracle.real import Undecided

TRIES = 100  # a draw whose rounding no precision settles is drawn again


@dataclass
class Case:
    """One node with its inputs and exact outputs; None is an optional input or output left out."""
    version: int
    inputs: list
    outputs: list
    attributes: dict = field(default_factory=dict)  # a function in place of a value is given the prefix of the case's names
    default_opset: int = 0  # of the nodes in subgraphs, where the node itself is of another domain
    before: object = None  # of the prefix: nodes that stand before it


OPERATORS = {}  # (domain, name): [generator]; a generator takes a Draw and returns a Case


def operator(*names, domain=""):
    """Registers a generator: its function takes a Draw, and the operator's name where it serves several."""
    def register(function):
        for name in names:
            one = (lambda draw, name=name: function(draw, name)) if len(names) > 1 else function
            OPERATORS.setdefault((domain, name), []).append(one)
        return function
    return register


def since(name, domain="", oldest=1):
    """The versions of an operator from `oldest` on that are not deprecated."""
    return sorted(s.since_version for s in onnx.defs.get_all_schemas_with_history()
                  if s.name == name and s.domain == domain and s.since_version >= oldest and not s.deprecated)


def float_types(name, version, variable, domain=""):
    """Of the four floating types, those that a type variable of the schema allows."""
    schema = onnx.defs.get_schema(name, version, domain)
    for constraint in schema.type_constraints:
        if constraint.type_param_str == variable:
            return [FLOATS[t] for t in FLOATS if t in constraint.allowed_type_strs]
    raise KeyError(f"{name}-{version} has no type variable {variable}")


def draw_version(draw, name, variable="T", domain="", oldest=7):
    """A version, the newest more often, and one of its floating types."""
    versions = since(name, domain, oldest)
    version = versions[-1] if draw.chance(0.6) else draw.choice(versions)
    return version, draw.choice(float_types(name, version, variable, domain))


def draw_case(domain, name, seed, index):
    generators = OPERATORS[(domain, name)]
    for attempt in range(TRIES):
        draw = Draw(f"{seed} {domain} {name} {index} {attempt}")
        try:
            return generators[index % len(generators)](draw)
        except Undecided:
            continue
    raise SystemExit(f"oracle.py: {name}: {TRIES} draws without a decision (seed {seed}, case {index})")


def write(directory, domain, name, seed, count):
    """Writes the operator's cases, one directory per version; returns how many cases each directory holds."""
    by_version = {}
    for index in range(count):
        case = draw_case(domain, name, seed, index)
        by_version.setdefault(case.version, []).append((index, case))
    written = {}
    for version, cases in by_version.items():
        label = f"test_{(domain + '.' if domain else '').replace('.', '_')}{name.lower()}_{version}"
        write_directory(pathlib.Path(directory) / label, domain, name, version, cases)
        written[label] = len(cases)
    return written


def write_directory(folder, domain, name, version, cases):
    data = folder / "test_data_set_0"
    data.mkdir(parents=True, exist_ok=True)
    nodes, inputs, outputs, tensors = [], [], [], {"input": [], "output": []}

    def name_port(kind, infos, label, tensor):
        if tensor is None:
            return ""
        infos.append(helper.make_tensor_value_info(label, tensor.fmt.code, list(tensor.shape)))
        tensors[kind].append(tensor.proto(label))
        return label
    for index, case in cases:
        prefix = f"c{index}"
        nodes += case.before(prefix) if case.before else []
        ins = [name_port("input", inputs, f"c{index}_x{k}", t) for k, t in enumerate(case.inputs)]
        outs = [name_port("output", outputs, f"c{index}_y{k}", t) for k, t in enumerate(case.outputs)]
        attributes = {k: v(prefix) if callable(v) else v for k, v in case.attributes.items() if v is not None}
        nodes.append(helper.make_node(name, ins, outs, name=f"c{index}", domain=domain, **attributes))
    imports = [helper.make_opsetid(domain, version)]
    if default_opset := max(case.default_opset for _, case in cases):
        imports.append(helper.make_opsetid("", default_opset))
    graph = helper.make_graph(nodes, f"oracle_{name}", inputs, outputs)
    model = helper.make_model(graph, opset_imports=imports, ir_version=11, producer_name="oracle")
    (folder / "model.onnx").write_bytes(model.SerializeToString(deterministic=True))
    for kind, protos in tensors.items():
        for k, proto in enumerate(protos):
            (data / f"{kind}_{k}.pb").write_bytes(proto.SerializeToString(deterministic=True))
