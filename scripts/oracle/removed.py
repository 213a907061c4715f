"""The experimental operators of version 1, which were removed, and Upsample."""
from fractions import Fraction
from math import floor

import numpy as np

from oracle import functions as fn
from oracle.draw import fixed
from oracle.elementwise import elements
from oracle.formats import F32, Tensor, rounded
from oracle.legacy import OLD_FLOATS
from oracle.normalization import KINDS, statistics
from oracle.real import ONE, ZERO, dot, real
from oracle.sampling import tap_sum
from oracle.suite import Case, operator

# formula of x and the attributes in its order; None: there is no default
SIMPLE = {
    "Affine": (lambda x, a, b: a * x + b, {"alpha": ONE, "beta": ZERO}),
    "Scale": (lambda x, s: s * x, {"scale": ONE}),
    "ScaledTanh": (lambda x, a, b: a * fn.tanh(b * x), {"alpha": None, "beta": None}),
    "ParametricSoftplus": (lambda x, a, b: a * fn.softplus(b * x), {"alpha": None, "beta": None}),
    "ThresholdedRelu": (lambda x, a: x if x > a else ZERO, {"alpha": ONE}),
}


@operator(*SIMPLE)
def simple(draw, name):
    formula, defaults = SIMPLE[name]
    values, attributes = [], {}
    for attribute, value in defaults.items():
        if value is None or draw.chance(0.6):
            value, attributes[attribute] = draw.attribute()
        values.append(value)
    fmt = draw.choice(OLD_FLOATS)
    x = draw.tensor(fmt, draw.shape())
    return Case(1, [x], [rounded(fmt, elements(lambda v: formula(v, *values), x.reals()))], attributes)


@operator("ImageScaler")
def image_scaler(draw):
    fmt = draw.choice(OLD_FLOATS)
    x = draw.tensor(fmt, draw.shape(rank=4, high=3))
    bias, stored = zip(*[draw.attribute() for _ in range(x.shape[1])])
    scale, attributes = ONE, {"bias": list(stored)}
    if draw.chance(0.6):
        scale, attributes["scale"] = draw.attribute()
    values, y = x.reals(), np.empty(x.shape, dtype=object)
    for index in np.ndindex(x.shape):
        y[index] = scale * values[index] + bias[index[1]]
    return Case(1, [x], [rounded(fmt, y)], attributes)


@operator("FC")
def fully_connected(draw):
    """X and W flattened at their axes, one row each for a sample and for an output."""
    fmt = draw.choice(OLD_FLOATS)
    samples, depth, outputs = draw.randint(1, 3), draw.randint(1, 3), draw.randint(1, 3)
    x = draw.tensor(fmt, (samples, depth, 2), draw.choice(("grid", None)))
    axis_w = draw.randint(1, 2)
    w = draw.tensor(fmt, (outputs, depth, 2) if axis_w == 1 else (1, outputs, 2 * depth), draw.choice(("grid", None)))
    bias = draw.tensor(fmt, (outputs,))
    rows, columns = x.reals().reshape(samples, -1), w.reals().reshape(outputs, -1)
    y = np.empty((samples, outputs), dtype=object)
    for i, j in np.ndindex(y.shape):
        y[i, j] = dot(rows[i], columns[j]) + bias.reals()[j]
    attributes = {"axis_w": axis_w} if axis_w != 1 or draw.chance(0.5) else {}
    return Case(1, [x, w, bias], [rounded(fmt, y)], attributes)


@operator("GRUUnit")
def gru_unit(draw):
    """The end of a GRU's step: the gates come as sums, the reset gate among them unused."""
    fmt = draw.choice(OLD_FLOATS)
    batch, width = draw.randint(1, 3), draw.randint(1, 3)
    before = draw.tensor(fmt, (1, batch, width), draw.choice(("plain", "mixed")))
    gates = draw.tensor(fmt, (1, batch, 3 * width), draw.choice(("plain", "grid", "wide", "mixed")))
    lengths, t = [draw.randint(0, 3) for _ in range(batch)], draw.randint(0, 2)
    drops = draw.randint(0, 1)
    y, h, g = np.empty((1, batch, width), dtype=object), before.reals(), gates.reals()
    for n, d in np.ndindex(batch, width):
        z = fn.sigmoid(g[0, n, width + d])
        y[0, n, d] = fn.tanh(g[0, n, 2 * width + d]) * (1 - z) + z * h[0, n, d]
        if t >= lengths[n]:
            y[0, n, d] = ZERO if drops else h[0, n, d]
    inputs = [before, gates, fixed(fmt, lengths), fixed(fmt, [t])]
    return Case(1, inputs, [rounded(fmt, y)], {"drop_states": drops})


@operator("MeanVarianceNormalization")
def mean_variance_normalization(draw):
    fmt = draw.choice(OLD_FLOATS)
    x = draw.tensor(fmt, draw.shape(rank=4, high=3), draw.choice(KINDS))
    across, scaled = draw.randint(0, 1), draw.randint(0, 1)
    values, y = x.reals(), np.empty(x.shape, dtype=object)
    for c in range(x.shape[1]):
        mean, variance = statistics(list((values if across else values[:, c]).reshape(-1)))
        for index in np.ndindex(x.shape):
            if index[1] == c:
                y[index] = (values[index] - mean) / fn.sqrt(variance) if scaled else values[index] - mean
    attributes = {"across_channels": across, "normalize_variance": scaled}
    return Case(1, [x], [rounded(fmt, y)], attributes)


# Upsample -------------------------------------------------------------------------------------------------------------

def asymmetric_taps(o, scale, size, mode):
    """Output index o along one axis: the positions that it reads, and their weights."""
    at = o / scale
    low = min(floor(at), size - 1)
    if mode == "nearest":
        return [(low, Fraction(1))]
    weight = at - floor(at)
    return [(i, w) for i, w in ((low, 1 - weight), (min(low + 1, size - 1), weight)) if w]


@operator("Upsample")
def upsample(draw):
    version = draw.choice((1, 7, 9))
    fmt = draw.choice(OLD_FLOATS)
    rank = 4 if version == 1 else draw.randint(1, 4)
    shape = draw.shape(rank=rank, high=3)
    x = draw.tensor(fmt, shape)
    scales = [F32.round(real(Fraction(draw.choice((1, 1.5, 2, draw.uniform(1, 3)))))).q for _ in range(rank)]
    if version == 1:
        scales[:2] = [Fraction(1), Fraction(1)]
    mode = draw.choice(("nearest", "linear"))
    out = [floor(d * s) for d, s in zip(shape, scales)]
    values, y = x.reals(), np.empty(out, dtype=object)
    for index in np.ndindex(*out):
        y[index] = tap_sum(values, [asymmetric_taps(o, s, d, mode) for o, s, d in zip(index, scales, shape)])
        if mode == "nearest":
            y[index] = values[tuple(asymmetric_taps(o, s, d, mode)[0][0] for o, s, d in zip(index, scales, shape))]
    attributes = {"mode": "bilinear" if version == 1 and mode == "linear" else mode}
    if version == 1:
        attributes.update(height_scale=float(scales[2]), width_scale=float(scales[3]))
    elif version == 7:
        attributes["scales"] = [float(s) for s in scales]
    inputs = [x] + ([Tensor(F32, (rank,), [F32.nearest(s, False) for s in scales])] if version == 9 else [])
    return Case(version, inputs, [rounded(fmt, y)], attributes)
