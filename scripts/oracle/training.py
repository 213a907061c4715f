"""Optimizers: every output exact from the inputs, with nothing rounded on the way."""

from oracle import functions as fn
from oracle.draw import int_tensor
from oracle.elementwise import elements
from oracle.formats import F32, F64, I64, rounded
from oracle.real import ONE, ZERO, real
from oracle.suite import Case, operator

DOMAIN = "ai.onnx.preview.training"
MICRO = F32.round(real(1) / 1000000)


def draw_groups(draw, count):
    """R, T, and `count` tensors for each of one or two variables, as the inputs interleave them."""
    fmt = draw.choice((F32, F64))
    rate = draw.tensor(draw.choice((F32, F64)), draw.choice(((), (1,))), "unit")
    step = draw.choice((0, 0, 1, 2, 7))
    variables = draw.randint(1, 2)
    shapes = [draw.shape(rank=draw.randint(0, 2)) for _ in range(variables)]
    groups = [[draw.tensor(fmt, s, "positive" if k >= 2 else draw.choice(("plain", "grid", "cancel", "wide", "mixed"))) for s in shapes]
              for k in range(count)]
    inputs = [rate, int_tensor([step], I64, draw.choice(((), (1,))))] + [t for g in groups for t in g]
    return fmt, rate.reals().reshape(-1)[0], step, groups, inputs


def draw_attribute(draw, attributes, name, default, required=False):
    if required or draw.chance(0.5):
        value, attributes[name] = draw.attribute("unit")
        return value
    return default


def outputs_of(fmt, formula, groups):
    """The formula on every element of each variable's tensors; its results are as many groups of outputs."""
    results = []
    for tensors in zip(*groups):
        values = elements(lambda *v: formula(*v), *[t.reals() for t in tensors])
        count = len(values.reshape(-1)[0])
        results.append([elements(lambda v, k=k: v[k], values) for k in range(count)])
    return [rounded(fmt, variable[k]) for k in range(len(results[0])) for variable in results]


@operator("Adagrad", domain=DOMAIN)
def adagrad(draw):
    fmt, rate, step, groups, inputs = draw_groups(draw, 3)
    attributes = {}
    decay = draw_attribute(draw, attributes, "decay_factor", ZERO)
    epsilon = draw_attribute(draw, attributes, "epsilon", MICRO)
    norm = draw_attribute(draw, attributes, "norm_coefficient", ZERO)

    def update(x, g, h):
        r = rate / (1 + step * decay)
        gradient = norm * x + g
        h = h + gradient * gradient
        return x - r * gradient / (fn.sqrt(h) + epsilon), h
    return Case(1, inputs, outputs_of(fmt, update, groups), attributes)


@operator("Adam", domain=DOMAIN)
def adam(draw):
    fmt, rate, step, groups, inputs = draw_groups(draw, 4)
    attributes = {}
    alpha = draw_attribute(draw, attributes, "alpha", F32.round(real(9) / 10))
    beta = draw_attribute(draw, attributes, "beta", F32.round(real(999) / 1000))
    epsilon = draw_attribute(draw, attributes, "epsilon", MICRO)
    norm = draw_attribute(draw, attributes, "norm_coefficient", ZERO)
    post = draw_attribute(draw, attributes, "norm_coefficient_post", ZERO)

    def update(x, g, v, h):
        gradient = norm * x + g
        v = alpha * v + (1 - alpha) * gradient
        h = beta * h + (1 - beta) * (gradient * gradient)
        r = rate if step == 0 else rate * fn.sqrt(1 - fn.power(beta, step)) / (1 - fn.power(alpha, step))
        return (1 - post) * (x - r * v / (fn.sqrt(h) + epsilon)), v, h
    return Case(1, inputs, outputs_of(fmt, update, groups), attributes)


@operator("Momentum", domain=DOMAIN)
def momentum(draw):
    fmt, rate, step, groups, inputs = draw_groups(draw, 3)
    attributes = {"mode": draw.choice(("standard", "nesterov"))}
    alpha, beta, norm = (draw_attribute(draw, attributes, n, None, True) for n in ("alpha", "beta", "norm_coefficient"))

    def update(x, g, v):
        gradient = norm * x + g
        v = alpha * v + (beta if step > 0 else ONE) * gradient
        return x - rate * (v if attributes["mode"] == "standard" else gradient + alpha * v), v
    return Case(1, inputs, outputs_of(fmt, update, groups), attributes)
