"""Interpolation: Resize, GridSample, RoiAlign; grids and ranges."""
import itertools
from fractions import Fraction
from math import ceil, floor

import numpy as np

from oracle.draw import fixed, int_tensor
from oracle.formats import BF16, F16, F32, F64, Tensor, array, rounded
from oracle.real import ONE, ZERO, dot, maximum, real, total
from oracle.suite import Case, draw_version, float_types, operator, since


def tap_sum(values, taps):
    """Along the last axis, then along the one before it: each a sum of values times weights, one term for each tap."""
    for row in reversed(taps):
        lines = np.empty(values.shape[:-1], dtype=object)
        for index in np.ndindex(lines.shape):
            lines[index] = total([values[index][i] * w for i, w in row])
        values = lines
    return values[()]


def cubic_weight(t, a):
    t = abs(t)
    if t <= 1:
        return (a + 2) * t ** 3 - (a + 3) * t ** 2 + 1
    return a * t ** 3 - 5 * a * t ** 2 + 8 * a * t - 4 * a if t < 2 else Fraction(0)


def linear_weight(t):
    return max(Fraction(0), 1 - abs(t))


# Resize ---------------------------------------------------------------------------------------------------------------

def original(mode, x, scale, size, length, whole):
    """x_original of output index x; length is the exact target length, whole the integer one."""
    if mode == "half_pixel":
        return (x + Fraction(1, 2)) / scale - Fraction(1, 2)
    if mode == "half_pixel_symmetric":
        adjustment = Fraction(whole) / length
        return Fraction(size, 2) * (1 - adjustment) + (x + Fraction(1, 2)) / scale - Fraction(1, 2)
    if mode == "pytorch_half_pixel":
        return (x + Fraction(1, 2)) / scale - Fraction(1, 2) if whole > 1 else Fraction(0)
    if mode == "align_corners":
        return x * Fraction(size - 1) / (length - 1) if whole > 1 and length != 1 else Fraction(0)
    assert mode == "asymmetric"
    return x / scale


def axis_taps(at, size, scale, mode, a, antialias, exclude):
    """Input positions, clamped to the edge, and their weights along one axis."""
    stretch = min(scale, Fraction(1)) if antialias else Fraction(1)
    support = (1 if mode == "linear" else 2) / stretch
    weigh = linear_weight if mode == "linear" else lambda t: cubic_weight(t, a)
    taps = [(j, weigh((at - j) * stretch)) for j in range(ceil(at - support), floor(at + support) + 1)]
    if antialias:
        whole = sum(w for _, w in taps)
        taps = [(j, w / whole) for j, w in taps]
    if exclude:
        taps = [(j, w) for j, w in taps if 0 <= j < size]
        whole = sum(w for _, w in taps)
        taps = [(j, w / whole) for j, w in taps]
    return [(min(max(j, 0), size - 1), w) for j, w in taps if w] or [(0, Fraction(0))]  # what weighs nothing takes no part


def nearest_index(at, rule, size):
    half = Fraction(1, 2)
    index = {"round_prefer_floor": lambda: ceil(at - half), "round_prefer_ceil": lambda: floor(at + half),
             "floor": lambda: floor(at), "ceil": lambda: ceil(at)}[rule]()
    return min(max(index, 0), size - 1)


@operator("Resize")
def resize(draw):
    version, fmt = draw_version(draw, "Resize", "T1", oldest=11)
    mode = draw.choice(("linear", "linear", "cubic", "cubic", "nearest"))
    rank = draw.choice((1, 2, 2, 3))
    x = draw.tensor(fmt, draw.shape(rank=rank, high=5 if rank < 3 else 3))
    coordinate = draw.choice(("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric")
                             + (("half_pixel_symmetric",) if version >= 19 else ()))
    attributes = {"mode": mode, "coordinate_transformation_mode": coordinate}
    a, exclude, antialias, rule = Fraction(-3, 4), 0, 0, "round_prefer_floor"
    if mode == "cubic" and draw.chance(0.5):
        value, attributes["cubic_coeff_a"] = draw.attribute("plain")
        a = value.q
    if mode != "nearest" and draw.chance(0.3):
        exclude = attributes["exclude_outside"] = 1
    if mode != "nearest" and version >= 18 and draw.chance(0.3):
        antialias = attributes["antialias"] = 1
    if mode == "nearest":
        rule = attributes["nearest_mode"] = draw.choice(("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"))
    empty = Tensor(F32, (0,), []) if version < 13 else None
    if draw.chance(0.5):
        scale = [Fraction(draw.choice((1, 0.5, 2, draw.uniform(0.4, 2.5)))) for _ in range(rank)]
        tensor = Tensor(F32, (rank,), [F32.nearest(s, False) for s in scale])
        scale = [s.q for s in tensor.reals()]
        out = [floor(d * s) for d, s in zip(x.shape, scale)]
        lengths = [d * s for d, s in zip(x.shape, scale)]
        inputs = [x, empty, tensor]
    else:
        out = [draw.randint(1, 6) for _ in range(rank)]
        scale, lengths = [Fraction(o, d) for o, d in zip(out, x.shape)], [Fraction(o) for o in out]
        inputs = [x, empty, Tensor(F32, (0,), []) if version < 13 else None, int_tensor(out)]
    per_axis = []
    for size, s, length, whole in zip(x.shape, scale, lengths, out):
        row = []
        for o in range(whole):
            at = original(coordinate, o, s, size, length, whole)
            if s == 1 and whole == size:
                row.append([(o, Fraction(1))])
            elif mode == "nearest":
                row.append([(nearest_index(at, rule, size), Fraction(1))])
            else:
                row.append(axis_taps(at, size, s, mode, a, antialias, exclude))
        per_axis.append(row)
    values, y = x.reals(), np.empty(out, dtype=object)
    for index in np.ndindex(*out):
        taps = [row[i] for row, i in zip(per_axis, index)]
        y[index] = values[tuple(t[0][0] for t in taps)] if mode == "nearest" else tap_sum(values, taps)
    return Case(version, inputs, [rounded(fmt, y)], attributes)


# GridSample -----------------------------------------------------------------------------------------------------------

def reflect(i, size, align):
    """An integer position outside, reflected at the border until it is inside."""
    if size == 1 and align:
        return 0
    period = 2 * (size - 1) if align else 2 * size
    i %= period
    return i if i < size else (period if align else period - 1) - i


def padded_value(values, place, shape, padding, align):
    inside = []
    for i, size in zip(place, shape):
        if 0 <= i < size:
            inside.append(i)
        elif padding == "zeros":
            return ZERO
        else:
            inside.append(min(max(i, 0), size - 1) if padding == "border" else reflect(i, size, align))
    return values[tuple(inside)]


def grid_taps(at, mode):
    low = floor(at)
    t = at - low
    if mode == "nearest":
        return [(round(at), Fraction(1))]
    if mode == "linear":
        return [(low, 1 - t), (low + 1, t)]
    return [(low + k, cubic_weight(t - k, Fraction(-3, 4))) for k in (-1, 0, 1, 2)]


@operator("GridSample")
def grid_sample(draw):
    version = draw.choice(since("GridSample"))
    fmt = draw.choice(float_types("GridSample", version, "T1"))
    grid_fmt = draw.choice(float_types("GridSample", version, "T2"))
    n = 2 if version == 16 else draw.choice((1, 2, 2, 3))
    mode = draw.choice(("linear", "linear", "cubic", "nearest"))
    padding, align = draw.choice(("zeros", "border", "reflection")), draw.randint(0, 1)
    batch, spatial = draw.randint(1, 2), draw.shape(rank=n, high=4)
    x = draw.tensor(fmt, (batch, draw.randint(1, 2), *spatial))
    grid = draw.tensor(grid_fmt, (batch, *draw.shape(rank=n, high=3), n), draw.choice(("plain", "grid", "unit")))
    y = np.empty((*x.shape[:2], *grid.shape[1:-1]), dtype=object)
    values, points = x.reals(), grid.reals()
    for b, c, *at in np.ndindex(y.shape):
        position = [g.q for g in points[(b, *at)]][::-1]
        position = [(g + 1) / 2 * (d - 1) if align else ((g + 1) * d - 1) / 2 for g, d in zip(position, spatial)]
        taps = [grid_taps(p, mode) for p in position]
        places = [[i for i, _ in row] for row in taps]
        if mode == "nearest":
            y[(b, c, *at)] = padded_value(values[b, c], [p[0] for p in places], spatial, padding, align)
            continue
        around = np.empty([len(row) for row in taps], dtype=object)
        for index in np.ndindex(around.shape):
            place = [p[k] for p, k in zip(places, index)]
            around[index] = padded_value(values[b, c], place, spatial, padding, align)
        y[(b, c, *at)] = tap_sum(around, [list(enumerate(w for _, w in row)) for row in taps])
    name = {"linear": "bilinear", "cubic": "bicubic"}.get(mode, mode) if version == 16 else mode
    return Case(version, [x, grid], [rounded(fmt, y)], {"mode": name, "padding_mode": padding, "align_corners": align})


# RoiAlign -------------------------------------------------------------------------------------------------------------

def roi_corners(values, y, x):
    """The four neighbours of a sample, each times its weight; a zero outside of the map."""
    height, width = values.shape
    if y < -1 or y > height or x < -1 or x > width:
        return [ZERO]
    sides = []
    for at, size in ((max(y, 0), height), (max(x, 0), width)):
        low = floor(at)
        if low >= size - 1:
            sides.append(((size - 1, Fraction(1)), (size - 1, Fraction(0))))
        else:
            sides.append(((low, 1 - (at - low)), (low + 1, Fraction(at - low))))
    return [values[i, j] * (u * v) for (i, u), (j, v) in itertools.product(*sides)]


@operator("RoiAlign")
def roi_align(draw):
    version, fmt = draw_version(draw, "RoiAlign", "T1", oldest=10)
    mode = draw.choice(("avg", "avg", "max"))
    shape = (draw.randint(1, 2), draw.randint(1, 2), draw.randint(2, 6), draw.randint(2, 6))
    x = draw.tensor(fmt, shape, draw.choice(("plain", "grid", None)))
    count, out_h, out_w = draw.randint(1, 2), draw.randint(1, 3), draw.randint(1, 3)
    rois = Tensor(fmt, (count, 4), [fmt.nearest(Fraction(v), False) for _ in range(count) for v in draw_roi(draw)])
    owners = draw.integers((count,), 0, x.shape[0] - 1)
    ratio = draw.randint(0, 3)
    spatial, stored = draw.attribute("unit") if draw.chance(0.7) else (ONE, 1.0)
    attributes = {"mode": mode, "output_height": out_h, "output_width": out_w, "sampling_ratio": ratio,
                  "spatial_scale": stored}
    half = version >= 16
    if version >= 16 and draw.chance(0.5):
        attributes["coordinate_transformation_mode"] = kind = draw.choice(("half_pixel", "output_half_pixel"))
        half = kind == "half_pixel"
    values, y = x.reals(), np.empty((count, x.shape[1], out_h, out_w), dtype=object)
    for r in range(count):
        x1, y1, x2, y2 = [v.q * spatial.q - (Fraction(1, 2) if half else 0) for v in rois.reals()[r]]
        high, wide = y2 - y1, x2 - x1
        if not half:
            high, wide = max(high, Fraction(1)), max(wide, Fraction(1))
        bin_h, bin_w = high / out_h, wide / out_w
        grid_h, grid_w = ratio or ceil(high / out_h), ratio or ceil(wide / out_w)
        owner = int(owners.integers()[r])
        for c, i, j in np.ndindex(y.shape[1:]):
            samples = [roi_corners(values[owner, c], y1 + (i + Fraction(2 * p + 1, 2 * grid_h)) * bin_h,
                                   x1 + (j + Fraction(2 * q + 1, 2 * grid_w)) * bin_w)
                       for p in range(grid_h) for q in range(grid_w)]
            if mode == "avg":
                y[r, c, i, j] = total([v for s in samples for v in s]) / max(len(samples), 1)
            else:
                y[r, c, i, j] = maximum([v for s in samples for v in s] or [ZERO])
    return Case(version, [x, rois, owners], [rounded(fmt, y)], attributes)


def draw_roi(draw):
    if draw.chance(0.3):  # samples that hit pixels
        x1, y1 = draw.randint(-4, 8) / 2, draw.randint(-4, 8) / 2
        return x1, y1, x1 + draw.randint(1, 8) / 2, y1 + draw.randint(1, 8) / 2
    x1, y1 = draw.uniform(-2, 5), draw.uniform(-2, 5)
    return x1, y1, x1 + draw.uniform(0.1, 8), y1 + draw.uniform(0.1, 8)


# Grids and ranges -----------------------------------------------------------------------------------------------------

@operator("AffineGrid")
def affine_grid(draw):
    fmt = draw.choice(float_types("AffineGrid", 20, "T1"))
    n, align, batch = draw.choice((2, 3)), draw.randint(0, 1), draw.randint(1, 2)
    sizes = draw.shape(rank=n, low=2 if align else 1, high=4)
    theta = draw.tensor(fmt, (batch, n, n + 1))
    values, y = theta.reals(), np.empty((batch, *sizes, n), dtype=object)
    for b, *at, k in np.ndindex(y.shape):
        base = [Fraction(2 * i, d - 1) - 1 if align else Fraction(2 * i + 1, d) - 1 for i, d in zip(at, sizes)]
        y[(b, *at, k)] = dot(values[b, k], [real(v) for v in base[::-1]] + [ONE])
    return Case(20, [theta, int_tensor([batch, draw.randint(1, 3), *sizes])], [rounded(fmt, y)], {"align_corners": align})


@operator("Range")
def range_case(draw):
    version = draw.choice(since("Range", oldest=11))
    fmt = draw.choice([F32, F64] + [F16, BF16] * (version >= 27))
    start, delta = [draw.tensor(fmt, (), draw.choice(("plain", "grid")), infinite=False) for _ in range(2)]
    step = delta.reals()[()].q
    if step == 0:
        delta = fixed(fmt, [Fraction(1, 2)], ())
        step = Fraction(1, 2)
    first = start.reals()[()].q
    limit = Tensor(fmt, (), [fmt.nearest(first + step * Fraction(draw.uniform(-1, 12)), False)])
    count = max(ceil((limit.reals()[()].q - first) / step), 0)
    values = [real(first + i * step) for i in range(count)]
    if fmt in (F16, BF16):  # stash_type 1: each element is a float32 first
        values = [F32.round(v) for v in values]
    return Case(version, [start, limit, delta], [rounded(fmt, array(values, (count,)))])
