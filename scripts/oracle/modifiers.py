"""FlexAttention with its subgraphs, and Gradient over a few nodes."""
from collections import namedtuple

import numpy as np
from onnx import helper

from oracle import functions as fn
from oracle.attention import PRECISIONS
from oracle.elementwise import elements
from oracle.formats import BF16, F16, F32, F64, array, rounded
from oracle.real import ONE, ZERO, dot, total
from oracle.suite import Case, operator

OPSET = 22  # of the operators in subgraphs and before a Gradient

# FlexAttention --------------------------------------------------------------------------------------------------------


def draw_modifier(draw, fmt, shape, label):
    """A subgraph of one or two nodes on (B, H, L, S), and what it does to an array of the format; (None, None) for none."""
    kind = draw.choice((None, "Mul", "Add", "Tanh", "Neg"))
    if kind is None:
        return None, None
    infos = [helper.make_tensor_value_info(name, fmt.code, shape) for name in (f"{label}_in", f"{label}_out")]
    if kind in ("Tanh", "Neg"):
        node = helper.make_node(kind, [f"{label}_in"], [f"{label}_out"])
        formula = fn.tanh if kind == "Tanh" else (lambda x: -x)
        return helper.make_graph([node], label, infos[:1], infos[1:]), lambda x: round_all(fmt, elements(formula, x))
    other = draw.tensor(fmt, draw.choice(((), shape[-1:], shape[2:])), draw.choice(("plain", "mixed")))
    formula = (lambda x, y: x * y) if kind == "Mul" else (lambda x, y: x + y)
    node = helper.make_node(kind, [f"{label}_in", f"{label}_by"], [f"{label}_out"])
    graph = helper.make_graph([node], label, infos[:1], infos[1:], initializer=[other.proto(f"{label}_by")])
    return graph, lambda x: round_all(fmt, elements(formula, x, other.reals()))


def round_all(fmt, values):
    return elements(fmt.round, values)


@operator("FlexAttention", domain="ai.onnx.preview")
def flex_attention(draw):
    fmt = draw.choice((F16, F32, F64, BF16))
    batch, kv_heads, queries, keys, width, v_width = (draw.randint(1, n) for n in (2, 2, 3, 3, 5, 3))
    group = draw.randint(1, 2)

    def tensor(*shape):
        return draw.tensor(fmt, shape, draw.choice(("plain", "grid", "unit", "cancel", "mixed")))
    q, k = tensor(batch, kv_heads * group, queries, width), tensor(batch, kv_heads, keys, width)
    v = tensor(batch, kv_heads, keys, v_width)
    scale, attributes = 1 / fn.sqrt(width), {}
    if draw.chance(0.4):
        scale, attributes["scale"] = draw.attribute("unit")
    precision = F64 if fmt is F64 else F32
    if draw.chance(0.4):
        attributes["softmax_precision"] = code = draw.choice(list(PRECISIONS))
        precision = PRECISIONS[code]
    shape = (batch, kv_heads * group, queries, keys)
    scores, qs, ks, vs = np.empty(shape, dtype=object), q.reals(), k.reals(), v.reals()
    for b, h, i, j in np.ndindex(shape):
        scores[b, h, i, j] = precision.round(dot(qs[b, h, i], ks[b, h // group, j]) * scale)
    attributes["score_mod"], on_scores = draw_modifier(draw, precision, shape, "score")
    scores = on_scores(scores) if on_scores else scores
    weights = np.empty(shape, dtype=object)
    for index in np.ndindex(shape[:3]):
        weights[index] = array([precision.round(w) for w in fn.softmax(list(scores[index]))])
    attributes["prob_mod"], on_weights = draw_modifier(draw, precision, shape, "prob")
    weights = on_weights(weights) if on_weights else weights
    y = np.empty((*shape[:3], v_width), dtype=object)
    for b, h, i, d in np.ndindex(y.shape):
        y[b, h, i, d] = dot(weights[b, h, i], vs[b, h // group, :, d])
    return Case(1, [q, k, v], [rounded(fmt, y)], attributes, default_opset=OPSET)


# Gradient -------------------------------------------------------------------------------------------------------------

# operator: (formula, derivative by each operand, all of the operands)
DIFFERENTIABLE = {
    "Add": (lambda a, b: a + b, (lambda a, b: ONE, lambda a, b: ONE)),
    "Sub": (lambda a, b: a - b, (lambda a, b: ONE, lambda a, b: -ONE)),
    "Mul": (lambda a, b: a * b, (lambda a, b: b, lambda a, b: a)),
    "Neg": (lambda a: -a, (lambda a: -ONE,)),
    "Exp": (fn.exp, (fn.exp,)),
    "Tanh": (fn.tanh, (lambda a: 1 - fn.tanh(a) * fn.tanh(a),)),
    "Sigmoid": (fn.sigmoid, (lambda a: fn.sigmoid(a) * (1 - fn.sigmoid(a)),)),
}
Step = namedtuple("Step", "name operands values")


def summed_to(values, shape):
    """The sum over what broadcasting repeated."""
    lead = values.ndim - len(shape)
    y = np.empty(shape, dtype=object)
    for index in np.ndindex(*shape):
        cut = (slice(None),) * lead + tuple(slice(None) if d == 1 else i for i, d in zip(index, shape))
        y[index] = total(list(array(values[cut]).reshape(-1)))
    return y


def chain(steps, inputs):
    """d(sum of the last step) / d(each input): exact products and sums along the paths."""
    values = inputs + [step.values for step in steps]
    parts = [[] for _ in values]
    parts[-1].append(elements(lambda v: ONE, values[-1]))
    for at in range(len(values) - 1, len(inputs) - 1, -1):
        step = steps[at - len(inputs)]
        if not parts[at]:
            continue
        own = elements(lambda *terms: total(terms), *parts[at])
        operands = [values[i] for i in step.operands]
        for i, derivative in zip(step.operands, DIFFERENTIABLE[step.name][1]):
            local = elements(lambda g, *xs, d=derivative: g * d(*xs), own, *operands)
            parts[i].append(summed_to(local, values[i].shape))
    return [elements(lambda *terms: total(terms), *p) if p else elements(lambda v: ZERO, v)
            for p, v in zip(parts[:len(inputs)], inputs)]


@operator("Gradient", domain="ai.onnx.preview.training")
def gradient(draw):
    fmt = draw.choice((F32, F64, F16))
    shape = draw.shape(rank=draw.randint(0, 2), high=3)
    count = draw.randint(1, 3)
    tensors = [draw.tensor(fmt, draw.choice((shape, shape[1:], (1,) * len(shape))), draw.choice(("plain", "grid", "unit")))
               for _ in range(count)]
    inputs, steps = [t.reals() for t in tensors], []
    for _ in range(draw.randint(1, 4)):
        name = draw.choice(list(DIFFERENTIABLE))
        known = inputs + [step.values for step in steps]
        arity = len(DIFFERENTIABLE[name][1])
        operands = [len(known) - 1] + [draw.randrange(len(known)) for _ in range(arity - 1)]
        draw.shuffle(operands)
        results = elements(DIFFERENTIABLE[name][0], *[known[i] for i in operands])
        steps.append(Step(name, operands, round_all(fmt, results)))
    gradients = chain(steps, inputs)
    wanted = draw.randint(1, count)  # the others are constants

    def name_of(prefix, i):
        return f"{prefix}_x{i}" if i < count else f"{prefix}_t{i - count}"

    def before(prefix):
        return [helper.make_node(step.name, [name_of(prefix, i) for i in step.operands], [name_of(prefix, count + k)])
                for k, step in enumerate(steps)]
    attributes = {"xs": lambda prefix: [name_of(prefix, i) for i in range(wanted)],
                  "y": lambda prefix: name_of(prefix, count + len(steps) - 1)}
    if wanted < count:
        attributes["zs"] = lambda prefix: [name_of(prefix, i) for i in range(wanted, count)]
    return Case(1, tensors, [rounded(fmt, g) for g in gradients[:wanted]], attributes, default_opset=OPSET, before=before)
