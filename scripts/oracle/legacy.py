"""Versions that meant something else: B aligned at an axis, statistics over a batch unless is_test, attributes for inputs."""
import numpy as np

from oracle import functions as fn
from oracle.elementwise import BINARY, VARIADIC, elements
from oracle.formats import F16, F32, F64, array, rounded
from oracle.normalization import KINDS, draw_epsilon, statistics
from oracle.pooling import draw_pool, norm, pool
from oracle.real import ONE, dot, maximum, minimum, real, total
from oracle.suite import Case, float_types, operator, since

OLD_FLOATS = (F16, F32, F64)


def version_before(draw, name, limit):
    version = draw.choice([v for v in since(name) if v < limit])
    return version, draw.choice(float_types(name, version, "T"))


def consumed(draw, version):
    """consumed_inputs says nothing about values, and is ignored."""
    return {"consumed_inputs": [0]} if version < 6 and draw.chance(0.4) else {}


def draw_aligned(draw, shape):
    """A shape for B and the attributes that align it with A: one element, or a run of A's dimensions, some of them 1."""
    kind = draw.choice(("equal", "one", "suffix", "run"))
    if kind == "equal":
        return shape, 0, {"broadcast": draw.randint(0, 1)}
    if kind == "one" or not shape:
        return draw.choice(((), (1,))), 0, {"broadcast": 1}
    start = draw.randrange(len(shape))
    stop = len(shape) if kind == "suffix" else draw.randint(start + 1, len(shape))
    part = tuple(1 if draw.chance(0.2) else d for d in shape[start:stop])
    attributes = {"broadcast": 1}
    if kind == "run" or draw.chance(0.3):
        attributes["axis"] = start
    return part, start, attributes


def aligned(b, shape, start):
    """B at every element of A."""
    if b.size == 1:
        return np.broadcast_to(b.reshape(()), shape)
    return np.broadcast_to(b.reshape((1,) * start + b.shape + (1,) * (len(shape) - start - b.ndim)), shape)


@operator(*BINARY, "Pow")
def aligned_binary(draw, name):
    version, fmt = version_before(draw, name, 7)
    shape = draw.shape(high=3)
    part, start, attributes = draw_aligned(draw, shape)
    kinds = ("positive", "grid", "mixed") if name == "Pow" else (None,)
    a, b = draw.tensor(fmt, shape, draw.choice(kinds)), draw.tensor(fmt, part, draw.choice(kinds))
    formula = fn.power if name == "Pow" else BINARY[name]
    y = elements(formula, a.reals(), aligned(b.reals(), shape, start))
    return Case(version, [a, b], [rounded(fmt, y)], {**attributes, **(consumed(draw, version) if name != "Pow" else {})})


@operator(*VARIADIC)
def equal_shapes(draw, name):
    version, fmt = version_before(draw, name, 8)
    shape = draw.shape()
    tensors = [draw.tensor(fmt, shape) for _ in range(draw.randint(1, 4))]
    y = elements(lambda *xs: VARIADIC[name](list(xs)), *[t.reals() for t in tensors])
    return Case(version, tensors, [rounded(fmt, tensors[0].reals() if len(tensors) == 1 else y)], consumed(draw, version))


@operator("PRelu")
def prelu(draw):
    """One slope, or one for each channel; before 7 the only two."""
    version, fmt = version_before(draw, "PRelu", 7)
    shape = draw.shape(rank=draw.randint(2, 4), high=3)
    slope = draw.tensor(fmt, draw.choice(((1,), (shape[1],))))
    x = draw.tensor(fmt, shape)
    y = elements(lambda v, s: s * v if v < 0 else v, x.reals(), aligned(slope.reals(), shape, 1))
    return Case(version, [x, slope], [rounded(fmt, y)], consumed(draw, version))


@operator("Clip")
def clip(draw):
    version, fmt = version_before(draw, "Clip", 11)
    (low, stored_low), (high, stored_high) = sorted((draw.attribute() for _ in range(2)), key=lambda pair: pair[1])
    x = draw.tensor(fmt, draw.shape())
    y = elements(lambda v: minimum([maximum([v, low]), high]), x.reals())
    return Case(version, [x], [rounded(fmt, y)], {"min": stored_low, "max": stored_high, **consumed(draw, version)})


@operator("Gemm")
def gemm(draw):
    version, fmt = version_before(draw, "Gemm", 7)
    m, k, n = draw.randint(1, 4), draw.randint(1, 6), draw.randint(1, 4)
    ta, tb, broadcast = draw.randint(0, 1), draw.randint(0, 1), draw.randint(0, 1)
    a, b = draw.tensor(fmt, (k, m) if ta else (m, k)), draw.tensor(fmt, (n, k) if tb else (k, n))
    c = draw.tensor(fmt, draw.choice(((1,), (n,), (1, n), (m, 1), (m, n))) if broadcast else (m, n))
    (alpha, stored_alpha), (beta, stored_beta) = draw.attribute(), draw.attribute()
    left, right = a.reals().T if ta else a.reals(), b.reals().T if tb else b.reals()
    added, y = np.broadcast_to(c.reals(), (m, n)), np.empty((m, n), dtype=object)
    for i, j in np.ndindex(m, n):
        y[i, j] = alpha * dot(left[i], right[:, j]) + beta * added[i, j]
    return Case(version, [a, b, c], [rounded(fmt, y)], {"alpha": stored_alpha, "beta": stored_beta, "transA": ta, "transB": tb,
                                                        "broadcast": broadcast})


@operator("InstanceNormalization")
def instance_normalization(draw):
    shape = (draw.randint(1, 2), draw.randint(1, 3), *draw.shape(rank=draw.randint(1, 2)))
    fmt = draw.choice(OLD_FLOATS)
    x = draw.tensor(fmt, shape, draw.choice(KINDS))
    scale, bias = (draw.tensor(fmt, (shape[1],)) for _ in range(2))
    epsilon, attributes = draw_epsilon(draw)
    y, values, s, b = np.empty(shape, dtype=object), x.reals(), scale.reals(), bias.reals()
    for n, c in np.ndindex(shape[:2]):
        mean, variance = statistics(list(values[n, c].reshape(-1)))
        for at in np.ndindex(shape[2:]):
            y[(n, c, *at)] = s[c] * (values[(n, c, *at)] - mean) / fn.sqrt(variance + epsilon) + b[c]
    return Case(1, [x, scale, bias], [rounded(fmt, y)], {**attributes, **consumed(draw, 1)})


@operator("BatchNormalization")
def batch_normalization(draw):
    """spatial 0: statistics and parameters for every activation. Before 7 the batch's own statistics, unless is_test."""
    version, fmt = version_before(draw, "BatchNormalization", 9)
    shape = (draw.randint(1, 3), draw.randint(1, 3), *draw.shape(rank=draw.randint(0, 2), high=3))
    x = draw.tensor(fmt, shape, draw.choice(KINDS))
    spatial = draw.randint(0, 1)
    each = (shape[1],) if spatial else shape[1:]
    scale, bias, mean = (draw.tensor(fmt, each) for _ in range(3))
    variance = draw.tensor(fmt, each, "positive")
    epsilon, attributes = draw_epsilon(draw)
    momentum, stored = draw.attribute("unit")
    attributes.update(spatial=spatial, momentum=stored)
    trains = False
    if version < 7:
        trains = draw.chance(0.5)
        attributes.update({} if trains and draw.chance(0.5) else {"is_test": int(not trains)}, **consumed(draw, version))
    values, means, variances = x.reals(), mean.reals(), variance.reals()
    outputs = []
    if trains:
        present = [np.empty(each, dtype=object) for _ in range(2)]
        for index in np.ndindex(each):
            cells = values[(slice(None), index[0])] if spatial else values[(slice(None), *index)]
            present[0][index], present[1][index] = statistics(list(array(cells).reshape(-1)))
        for old, new in zip((means, variances), present):
            running = elements(lambda o, p: o * momentum + p * (1 - momentum), old, new)
            outputs.append(rounded(fmt, running))
        outputs += [rounded(fmt, p) for p in present]
        means, variances = present
    y = np.empty(shape, dtype=object)
    for index in np.ndindex(shape):
        at = index[1:2] if spatial else index[1:]
        y[index] = (values[index] - means[at]) / fn.sqrt(variances[at] + epsilon) * scale.reals()[at] + bias.reals()[at]
    return Case(version, [x, scale, bias, mean, variance], [rounded(fmt, y), *outputs], attributes)


@operator("AveragePool")
def average_pool(draw):
    fmt = draw.choice(OLD_FLOATS)
    geometry = draw_pool(draw, draw.randint(1, 3), False, False)
    x = draw.tensor(fmt, (draw.randint(1, 2), draw.randint(1, 2), *geometry[0]))
    y = pool(x.reals(), geometry, lambda inside, _: total(inside) / len(inside))
    return Case(1, [x], [rounded(fmt, y)], geometry[-1])


@operator("LpPool", "GlobalLpPool")
def lp_pool(draw, name):
    """Version 1: p is a real number."""
    fmt = draw.choice(OLD_FLOATS)
    p, stored = draw.choice(((real(2), None), (ONE, 1.0), (real(3), 3.0), draw.attribute("positive")))
    if name == "LpPool":
        geometry = draw_pool(draw, draw.randint(1, 2), False, False)
        x = draw.tensor(fmt, (draw.randint(1, 2), 1, *geometry[0]), "grid")
        y = pool(x.reals(), geometry, lambda inside, _: real_norm(inside, p))
        return Case(1, [x], [rounded(fmt, y)], {**geometry[-1], "p": stored})
    x = draw.tensor(fmt, (draw.randint(1, 2), 2, *draw.shape(rank=draw.randint(1, 2), high=4)))
    y = array([real_norm(list(line), p) for line in x.reals().reshape(x.shape[0] * 2, -1)])
    return Case(1, [x], [rounded(fmt, y.reshape(x.shape[:2] + (1,) * (len(x.shape) - 2)))], {"p": stored})


def real_norm(xs, p):
    if p.q in (1, 2):
        return norm(xs, int(p.q))
    return fn.power(total([fn.power(abs(x), p) for x in xs]), 1 / p)


@operator("Cast")
def cast(draw):
    """The target is a name in version 1, a number from 6 on."""
    version = draw.choice((1, 6, 9))
    source, target = draw.choice(OLD_FLOATS), draw.choice(OLD_FLOATS)
    x = draw.tensor(source, draw.shape())
    names = {F16: "FLOAT16", F32: "FLOAT", F64: "DOUBLE"}
    return Case(version, [x], [rounded(target, x.reals())], {"to": names[target] if version == 1 else target.code})


@operator("Selu")
def selu(draw):
    """The defaults of version 1 have five digits."""
    version, fmt = version_before(draw, "Selu", 2)
    alpha, gamma = F32.round(real(16732) / 10000), F32.round(real(10507) / 10000)
    x = draw.tensor(fmt, draw.shape())

    def formula(v):
        if v.is_zero():
            return gamma * (alpha - alpha)
        return gamma * alpha * fn.expm1(v) if v <= 0 else gamma * v
    return Case(version, [x], [rounded(fmt, elements(formula, x.reals()))], consumed(draw, 1))
