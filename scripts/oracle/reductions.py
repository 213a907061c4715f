"""Reductions, running sums and products, softmax and its kin."""
import numpy as np

from oracle import functions as fn
from oracle.draw import int_tensor
from oracle.formats import I32, I64, array, rounded
from oracle.real import INF, MINUS_INF, NAN, ZERO, maximum, minimum, product, total
from oracle.suite import Case, draw_version, operator

REDUCE = {
    "ReduceSum": total, "ReduceProd": product, "ReduceL1": lambda xs: total([abs(x) for x in xs]),
    "ReduceSumSquare": lambda xs: total([x * x for x in xs]),
    "ReduceL2": lambda xs: fn.sqrt(total([x * x for x in xs])),
    "ReduceLogSum": lambda xs: fn.log(total(xs)), "ReduceLogSumExp": fn.logsumexp,
    "ReduceMean": lambda xs: total(xs) / len(xs) if xs else NAN,
    "ReduceMax": lambda xs: maximum(xs) if xs else MINUS_INF, "ReduceMin": lambda xs: minimum(xs) if xs else INF,
}


def reduce(x, axes, keep, formula):
    """The formula of every group of elements that differ in the axes alone."""
    rank = x.ndim
    axes = sorted(a % rank for a in axes)
    kept = [a for a in range(rank) if a not in axes]
    moved = x.transpose(kept + axes)
    outer = moved.shape[:len(kept)]
    out = np.empty(outer, dtype=object)
    for index in np.ndindex(outer):
        out[index] = formula(list(array(moved[index]).reshape(-1)))
    return out.reshape([1 if a in axes else d for a, d in enumerate(x.shape)]) if keep else out


@operator(*REDUCE)
def reduction(draw, name):
    version, fmt = draw_version(draw, name, oldest=1)
    by_input = version >= (13 if name == "ReduceSum" else 18)
    shape = list(draw.shape(high=5))
    if shape and draw.chance(0.15):
        shape[draw.randrange(len(shape))] = draw.choice((0, 70))
    kind = draw.choice(("positive", "plain", "mixed", None)) if name == "ReduceLogSum" else None
    x = draw.tensor(fmt, shape, kind)
    rank, keep = len(shape), draw.randint(0, 1)
    axes = None
    if rank and draw.chance(0.7):
        axes = draw.sample(range(rank), draw.randint(1, rank))
    noop = int(by_input and axes is None and draw.chance(0.4))
    group = axes if axes is not None else [] if noop else list(range(rank))
    y = reduce(x.reals(), group, keep or noop, REDUCE[name])
    named = None if axes is None else [a - rank if version >= 11 and draw.chance(0.3) else a for a in axes]
    attributes = {"keepdims": keep}
    inputs = [x]
    if by_input:
        attributes["noop_with_empty_axes"] = noop
        if named is not None or draw.chance(0.5):
            inputs.append(int_tensor(named or []))
    else:
        attributes["axes"] = named
    return Case(version, inputs, [rounded(fmt, y)], attributes)


@operator("CumSum", "CumProd")
def running(draw, name):
    version, fmt = draw_version(draw, name, "T", oldest=11)
    x = draw.tensor(fmt, draw.shape(rank=draw.randint(1, 3), high=6))
    axis = draw.randrange(len(x.shape))
    exclusive, reverse = draw.randint(0, 1), draw.randint(0, 1)
    lines = np.moveaxis(x.reals(), axis, -1)
    lines = lines[..., ::-1] if reverse else lines
    fold = (lambda xs: total(xs) if xs else ZERO) if name == "CumSum" else product
    out = np.empty(lines.shape, dtype=object)
    for index in np.ndindex(lines.shape):
        out[index] = fold(list(lines[index[:-1]][:index[-1] + 1 - exclusive]))
    out = np.moveaxis(out[..., ::-1] if reverse else out, -1, axis)
    axis_tensor = int_tensor([axis - (len(x.shape) if draw.chance(0.3) else 0)], draw.choice((I32, I64)), ())
    return Case(version, [x, axis_tensor], [rounded(fmt, out)], {"exclusive": exclusive, "reverse": reverse})


def log_softmax(xs):
    """x - ln(sum of e^x), the line's maximum taken out as a device only."""
    if any(x.is_nan() or (x.is_inf() and not x.minus) for x in xs):
        return [NAN] * len(xs)
    finite = [x for x in xs if x.finite()]
    if not finite:
        return [NAN] * len(xs)
    top = maximum(finite)
    rest = list(finite)
    rest.pop(next(i for i, x in enumerate(rest) if not x < top))
    logarithm = fn.log1p(total([fn.exp(x - top) for x in rest]))
    return [total([x - top, -logarithm]) for x in xs]


@operator("Softmax", "LogSoftmax")
def softmax_case(draw, name):
    version, fmt = draw_version(draw, name, oldest=1)
    shape = draw.shape(rank=draw.randint(1, 4), high=5) if draw.chance(0.9) else (2, 70)
    rank = len(shape)
    x = draw.tensor(fmt, shape)
    axis = draw.choice([None, *range(-rank, rank)])
    if version < 13 and axis is None and rank == 1:
        axis = 0
    formula = fn.softmax if name == "Softmax" else log_softmax
    values = x.reals()
    if version < 13:  # one line from the axis on
        cut = (1 if axis is None else axis) % rank
        lines = values.reshape(int(np.prod(shape[:cut], dtype=int)), -1)
        y = array([formula(list(line)) for line in lines]).reshape(shape)
    else:
        lines = np.moveaxis(values, -1 if axis is None else axis, -1)
        y = np.empty(lines.shape, dtype=object)
        for index in np.ndindex(lines.shape[:-1]):
            y[index] = array(formula(list(lines[index])))
        y = np.moveaxis(y, -1, -1 if axis is None else axis)
    return Case(version, [x], [rounded(fmt, y)], {"axis": axis})
