"""Pooling: averages and norms over windows, and over whole maps."""
import numpy as np

from oracle import functions as fn
from oracle.formats import rounded
from oracle.products import draw_window, reach, same_pads
from oracle.real import NAN, ZERO, real, total
from oracle.suite import Case, draw_version, operator


def explicit_size(size, begin, end, kernel, dilation, stride, ceil):
    """Output size with explicit padding; a window that would start in the end padding is dropped."""
    room = size + begin + end - reach(kernel, dilation)
    out = (-(-room // stride) if ceil else room // stride) + 1
    return out - 1 if ceil and (out - 1) * stride >= size + begin else out


def draw_pool(draw, n, dilated, ceil_allowed):
    """Sizes, window and attributes of a pooling operator, with the padding that its attributes amount to."""
    kernel, strides, dilations, pads = draw_window(draw, n)
    dilations = dilations if dilated else [1] * n
    sizes = [reach(k, d) + draw.randint(0, 4 if n < 3 else 1) for k, d in zip(kernel, dilations)]
    attributes = {"kernel_shape": kernel, "strides": strides}
    if dilated:
        attributes["dilations"] = dilations
    mode = draw.choice((None, None, "SAME_UPPER", "SAME_LOWER", "VALID"))
    ceil = draw.randint(0, 1) if ceil_allowed else 0
    if ceil_allowed:
        attributes["ceil_mode"] = ceil
    if mode in ("SAME_UPPER", "SAME_LOWER"):
        fits = [same_pads(s, t, k, d, mode == "SAME_UPPER") for s, t, k, d in zip(sizes, strides, kernel, dilations)]
        out, begins = [f[0] for f in fits], [f[1] for f in fits]
        ends = [f[2] - f[1] for f in fits]
    else:
        pads = pads if mode is None else [0] * (2 * n)
        pads = [min(p, kernel[i % n] - 1) for i, p in enumerate(pads)]
        begins, ends = pads[:n], pads[n:]
        out = [explicit_size(*a, ceil and mode is None) for a in zip(sizes, begins, ends, kernel, dilations, strides)]
    attributes.update({"pads": pads} if mode is None else {"auto_pad": mode})
    return sizes, kernel, strides, dilations, begins, ends, out, attributes


def pool(x, geometry, formula):
    """formula(elements inside, how many cells of the window lie in the padding)."""
    sizes, kernel, strides, dilations, begins, ends, out_sizes, _ = geometry
    out = np.empty((*x.shape[:2], *out_sizes), dtype=object)
    for b, c, *place in np.ndindex(out.shape):
        inside, padding = [], 0
        for tap in np.ndindex(*kernel):
            at = [o * s + k * d - p for o, s, k, d, p in zip(place, strides, tap, dilations, begins)]
            if all(0 <= i < size for i, size in zip(at, sizes)):
                inside.append(x[(b, c, *at)])
            else:
                padding += all(-p <= i < size + e for i, p, size, e in zip(at, begins, sizes, ends))
        out[(b, c, *place)] = formula(inside, padding)
    return out


@operator("AveragePool")
def average_pool(draw):
    version, fmt = draw_version(draw, "AveragePool", oldest=7)
    n = draw.randint(1, 3)
    geometry = draw_pool(draw, n, version >= 19, version >= 10)
    counted = draw.randint(0, 1)
    x = draw.tensor(fmt, (draw.randint(1, 2), draw.randint(1, 2), *geometry[0]))

    def average(inside, padding):
        cells = inside + [ZERO] * (padding if counted else 0)
        return total(cells) / len(cells) if cells else NAN
    return Case(version, [x], [rounded(fmt, pool(x.reals(), geometry, average))],
                {**geometry[-1], "count_include_pad": counted})


def norm(xs, p):
    if p == 1:
        return total([abs(x) for x in xs])
    sum_of_powers = total([fn.power(abs(x), p) for x in xs])
    return fn.sqrt(sum_of_powers) if p == 2 else fn.power(sum_of_powers, 1 / real(p))


@operator("LpPool")
def lp_pool(draw):
    version, fmt = draw_version(draw, "LpPool", oldest=2)
    geometry = draw_pool(draw, draw.randint(1, 3), version >= 18, version >= 18)
    p = draw.choice((1, 2, 2, 3))
    x = draw.tensor(fmt, (draw.randint(1, 2), draw.randint(1, 2), *geometry[0]))
    y = pool(x.reals(), geometry, lambda inside, _: norm(inside, p))
    return Case(version, [x], [rounded(fmt, y)], {**geometry[-1], "p": p})


@operator("GlobalAveragePool", "GlobalLpPool")
def global_pool(draw, name):
    version, fmt = draw_version(draw, name, oldest=1 if name == "GlobalAveragePool" else 2)
    x = draw.tensor(fmt, (draw.randint(1, 2), draw.randint(1, 3), *draw.shape(rank=draw.randint(1, 3), high=4)))
    p = draw.choice((1, 2, 2, 3))
    out = np.empty(x.shape[:2] + (1,) * (len(x.shape) - 2), dtype=object)
    values = x.reals()
    for index in np.ndindex(x.shape[:2]):
        cells = list(values[index].reshape(-1))
        out[index] = total(cells) / len(cells) if name == "GlobalAveragePool" else norm(cells, p)
    return Case(version, [x], [rounded(fmt, out)], {} if name == "GlobalAveragePool" else {"p": p})
