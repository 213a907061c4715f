"""Normalisations. Where the text casts to a stash type and back, so does the oracle; nothing else is rounded."""
import numpy as np

from oracle import functions as fn
from oracle.formats import BF16, F32, array, rounded
from oracle.pooling import norm
from oracle.real import ONE, ZERO, real, total
from oracle.suite import Case, draw_version, float_types, operator

EPSILON = F32.round(real(1) / 100000)
KINDS = ("plain", "plain", "grid", "cancel", "positive", "wide", "mixed")


def draw_epsilon(draw):
    """The attribute as a real and as the model's attributes; mostly the default."""
    if draw.chance(0.6):
        return EPSILON, {}
    value, stored = draw.attribute("unit")
    return value, {"epsilon": stored}


def statistics(xs):
    """Mean and population variance."""
    mean = total(xs) / len(xs)
    return mean, total([(x - mean) * (x - mean) for x in xs]) / len(xs)


def per_element(formula, *operands):
    operands = np.broadcast_arrays(*operands)
    out = np.empty(operands[0].shape, dtype=object)
    for index in np.ndindex(out.shape):
        out[index] = formula(*[o[index] for o in operands])
    return out


def unidirectional(draw, shape):
    """A shape that broadcasts to another without widening it."""
    return tuple(1 if draw.chance(0.2) else d for d in shape)[draw.randint(0, len(shape)):]


@operator("LayerNormalization")
def layer_normalization(draw):
    version, fmt = draw_version(draw, "LayerNormalization")
    stash = draw.choice((F32, F32, BF16))
    shape = draw.shape(rank=draw.randint(1, 4), high=4) if draw.chance(0.9) else (2, 50)
    x = draw.tensor(fmt, shape, draw.choice(KINDS))
    rank = len(x.shape)
    axis = draw.choice([None, *range(-rank, rank)])
    cut = (-1 if axis is None else axis) % rank
    scale = draw.tensor(fmt, x.shape[cut:] if draw.chance(0.7) else unidirectional(draw, x.shape))
    bias = draw.tensor(fmt, x.shape[cut:] if draw.chance(0.7) else unidirectional(draw, x.shape))
    bias = bias if draw.chance(0.6) else None
    epsilon, attributes = draw_epsilon(draw)
    statistics_shape = x.shape[:cut] + (1,) * (rank - cut)
    lines = x.reals().reshape(int(np.prod(x.shape[:cut], dtype=int)), -1)
    normalized, means, inverses = np.empty(lines.shape, dtype=object), [], []
    for row, line in enumerate(lines):
        line = [stash.round(v) for v in line]
        mean, variance = statistics(line)
        deviation = fn.sqrt(variance + epsilon)
        means.append(mean)
        inverses.append(1 / deviation)
        for k, v in enumerate(line):
            normalized[row, k] = fmt.round(stash.round((v - mean) / deviation))
    normalized = normalized.reshape(x.shape)
    if bias:
        y = per_element(lambda n, s, b: n * s + b, normalized, scale.reals(), bias.reals())
    else:
        y = per_element(lambda n, s: n * s, normalized, scale.reals())
    outputs = [rounded(fmt, y), rounded(stash, array(means).reshape(statistics_shape)),
               rounded(stash, array(inverses).reshape(statistics_shape))]
    return Case(version, [x, scale] + ([bias] if bias else []), outputs[:draw.choice((1, 3))],
                {**attributes, "axis": axis, "stash_type": stash.code})


@operator("RMSNormalization")
def rms_normalization(draw):
    version, fmt = draw_version(draw, "RMSNormalization")
    other = draw.choice(float_types("RMSNormalization", version, "V")) if draw.chance(0.3) else fmt
    stash = draw.choice((F32, F32, F32, BF16))
    shape = draw.shape(rank=draw.randint(1, 4), high=4) if draw.chance(0.9) else (2, 50)
    x = draw.tensor(fmt, shape, draw.choice(KINDS))
    rank = len(x.shape)
    axis = draw.choice([None, *range(-rank, rank)])
    cut = (-1 if axis is None else axis) % rank
    scale = draw.tensor(other, x.shape[cut:] if draw.chance(0.7) else unidirectional(draw, x.shape))
    epsilon, attributes = draw_epsilon(draw)
    lines = x.reals().reshape(int(np.prod(x.shape[:cut], dtype=int)), -1)
    normalized = np.empty(lines.shape, dtype=object)
    for row, line in enumerate(lines):
        line = [stash.round(v) for v in line]
        root = fn.sqrt(total([v * v for v in line]) / len(line) + epsilon)
        for k, v in enumerate(line):
            normalized[row, k] = fmt.round(stash.round(v / root))
    y = per_element(lambda n, s: n * s, normalized.reshape(x.shape), scale.reals())
    return Case(version, [x, scale], [rounded(other, y)], {**attributes, "axis": axis, "stash_type": stash.code})


@operator("GroupNormalization")
def group_normalization(draw):
    version, fmt = draw_version(draw, "GroupNormalization", oldest=21)
    stash = draw.choice((F32, F32, BF16))
    groups, per_group = draw.randint(1, 3), draw.randint(1, 2)
    shape = (draw.randint(1, 2), groups * per_group, *draw.shape(rank=draw.randint(1, 2)))
    x = draw.tensor(fmt, shape, draw.choice(KINDS))
    scale, bias = (draw.tensor(fmt, (x.shape[1],)) for _ in range(2))
    epsilon, attributes = draw_epsilon(draw)
    y = np.empty(x.shape, dtype=object)
    values, s, b = x.reals(), scale.reals(), bias.reals()
    for n, g in np.ndindex(x.shape[0], groups):
        channels = range(g * per_group, (g + 1) * per_group)
        mean, variance = statistics([stash.round(v) for c in channels for v in values[n, c].reshape(-1)])
        deviation = fn.sqrt(variance + epsilon)
        for c in channels:
            for at in np.ndindex(x.shape[2:]):
                normal = fmt.round(stash.round((stash.round(values[(n, c, *at)]) - mean) / deviation))
                y[(n, c, *at)] = s[c] * normal + b[c]
    return Case(version, [x, scale, bias], [rounded(fmt, y)],
                {**attributes, "num_groups": groups, "stash_type": stash.code})


@operator("InstanceNormalization")
def instance_normalization(draw):
    version, fmt = draw_version(draw, "InstanceNormalization", oldest=6)
    shape = (draw.randint(1, 2), draw.randint(1, 3), *draw.shape(rank=draw.randint(1, 3)))
    x = draw.tensor(fmt, shape, draw.choice(KINDS))
    scale, bias = (draw.tensor(fmt, (x.shape[1],)) for _ in range(2))
    epsilon, attributes = draw_epsilon(draw)
    y, values, s, b = np.empty(x.shape, dtype=object), x.reals(), scale.reals(), bias.reals()
    for n, c in np.ndindex(x.shape[:2]):
        mean, variance = statistics(list(values[n, c].reshape(-1)))
        deviation = fn.sqrt(variance + epsilon)
        for at in np.ndindex(x.shape[2:]):
            y[(n, c, *at)] = s[c] * (values[(n, c, *at)] - mean) / deviation + b[c]
    return Case(version, [x, scale, bias], [rounded(fmt, y)], attributes)


@operator("BatchNormalization")
def batch_normalization(draw):
    version, fmt = draw_version(draw, "BatchNormalization", oldest=9)
    parameters = statistic_fmt = fmt
    if version >= 15 and draw.chance(0.4):
        parameters, statistic_fmt = (draw.choice(float_types("BatchNormalization", 15, "T")) for _ in range(2))
    shape = (draw.randint(1, 3), draw.randint(1, 3), *draw.shape(rank=draw.randint(0, 2)))
    x = draw.tensor(fmt, shape, draw.choice(KINDS))
    channels = (x.shape[1],)
    scale, bias = (draw.tensor(parameters, channels) for _ in range(2))
    mean, variance = draw.tensor(statistic_fmt, channels), draw.tensor(statistic_fmt, channels, "positive")
    epsilon, attributes = draw_epsilon(draw)
    momentum, stored = draw.attribute("unit")
    training = version >= 14 and draw.chance(0.4)
    means, variances = list(mean.reals()), list(variance.reals())
    values = x.reals()
    outputs = []
    if training:
        present = [statistics(list(values[:, c].reshape(-1))) for c in range(x.shape[1])]
        for old, which in ((means, 0), (variances, 1)):
            running = [o * momentum + p[which] * (1 - momentum) for o, p in zip(old, present)]
            outputs.append(rounded(statistic_fmt, array(running)))
        means, variances = [p[0] for p in present], [p[1] for p in present]
        attributes["training_mode"] = 1
    if version >= 14 or draw.chance(0.5):
        attributes["momentum"] = stored
    y, s, b = np.empty(x.shape, dtype=object), scale.reals(), bias.reals()
    for index in np.ndindex(x.shape):
        c = index[1]
        y[index] = (values[index] - means[c]) / fn.sqrt(variances[c] + epsilon) * s[c] + b[c]
    return Case(version, [x, scale, bias, mean, variance], [rounded(fmt, y), *outputs], attributes)


@operator("LRN")
def lrn(draw):
    version, fmt = draw_version(draw, "LRN", oldest=1)
    size = draw.randint(1, 5)
    shape = (draw.randint(1, 2), draw.randint(1, 6), *draw.shape(rank=draw.randint(0, 2), high=3))
    x = draw.tensor(fmt, shape, draw.choice(KINDS))
    values = {"alpha": F32.round(real(1) / 10000), "beta": real(3) / 4, "bias": ONE}
    attributes = {"size": size}
    for name in values:
        if draw.chance(0.5):
            values[name], attributes[name] = draw.attribute("positive")
    y, cells = np.empty(x.shape, dtype=object), x.reals()
    for n, c, *at in np.ndindex(x.shape):
        region = range(max(0, c - (size - 1) // 2), min(x.shape[1] - 1, c + size // 2) + 1)
        squares = total([cells[(n, i, *at)] * cells[(n, i, *at)] for i in region])
        base = values["bias"] + values["alpha"] / size * squares
        y[(n, c, *at)] = cells[(n, c, *at)] / fn.power(base, values["beta"])
    return Case(version, [x], [rounded(fmt, y)], attributes)


@operator("LpNormalization")
def lp_normalization(draw):
    version, fmt = draw_version(draw, "LpNormalization", oldest=1)
    x = draw.tensor(fmt, draw.shape(rank=draw.randint(1, 4)))
    p, axis = draw.choice((None, 1, 2)), draw.choice([None, *range(-len(x.shape), len(x.shape))])
    lines = np.moveaxis(x.reals(), -1 if axis is None else axis, -1)
    y = np.empty(lines.shape, dtype=object)
    for index in np.ndindex(lines.shape[:-1]):
        length = norm(list(lines[index]), p or 2)
        y[index] = array([ZERO if length.is_zero() else v / length for v in lines[index]])
    return Case(version, [x], [rounded(fmt, np.moveaxis(y, -1, -1 if axis is None else axis))], {"p": p, "axis": axis})


@operator("MeanVarianceNormalization")
def mean_variance_normalization(draw):
    version, fmt = draw_version(draw, "MeanVarianceNormalization")
    x = draw.tensor(fmt, draw.shape(rank=4, high=3), draw.choice(KINDS))
    axes = draw.choice((None, [0, 1, 2, 3], [1], [2, 3], [0, 2]))
    group = [0, 2, 3] if axes is None else axes
    kept = [a for a in range(4) if a not in group]
    values, y = x.reals(), np.empty(x.shape, dtype=object)
    for index in np.ndindex(*[x.shape[a] for a in kept]):
        select = [slice(None)] * 4
        for a, i in zip(kept, index):
            select[a] = i
        cells = values[tuple(select)]
        mean, variance = statistics(list(array(cells).reshape(-1)))
        deviation = fn.sqrt(variance)
        y[tuple(select)] = array([(v - mean) / deviation for v in array(cells).reshape(-1)]).reshape(array(cells).shape)
    return Case(version, [x], [rounded(fmt, y)], {"axes": axes})
