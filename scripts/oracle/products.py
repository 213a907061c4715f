"""Sums of products: matrices, Einsum, convolutions."""
import itertools

import numpy as np

from oracle.formats import array, rounded
from oracle.real import ZERO, dot, product, total
from oracle.suite import Case, draw_version, operator


def matmul(a, b):
    """numpy.matmul: vectors promoted, leading dimensions broadcast."""
    one_a, one_b = a.ndim == 1, b.ndim == 1
    a, b = a[None, :] if one_a else a, b[:, None] if one_b else b
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a, b = np.broadcast_to(a, batch + a.shape[-2:]), np.broadcast_to(b, batch + b.shape[-2:])
    out = np.empty(batch + (a.shape[-2], b.shape[-1]), dtype=object)
    for index in np.ndindex(out.shape):
        out[index] = dot(a[index[:-1]], b[index[:-2]][:, index[-1]])
    if one_a:
        out = out[..., 0, :]
    return array(out[..., 0]) if one_b else out


@operator("MatMul")
def matmul_case(draw):
    version, fmt = draw_version(draw, "MatMul", oldest=1)
    rows, depth, columns = draw.randint(1, 4), draw.choice((0, 1, 3, 7, 19, 19, 150)), draw.randint(1, 4)
    batch = draw.shape(rank=draw.randint(0, 2), high=3)
    a_shape = (depth,) if draw.chance(0.15) else batch[draw.randint(0, len(batch)):] + (rows, depth)
    b_shape = (depth,) if draw.chance(0.15) else tuple(draw.choice((1, d)) for d in batch) + (depth, columns)
    a, b = draw.tensor(fmt, a_shape), draw.tensor(fmt, b_shape)
    return Case(version, [a, b], [rounded(fmt, matmul(a.reals(), b.reals()))])


@operator("Gemm")
def gemm(draw):
    version, fmt = draw_version(draw, "Gemm", oldest=7)
    m, k, n = draw.randint(1, 5), draw.randint(1, 9), draw.randint(1, 5)
    ta, tb = draw.randint(0, 1), draw.randint(0, 1)
    a = draw.tensor(fmt, (k, m) if ta else (m, k))
    b = draw.tensor(fmt, (n, k) if tb else (k, n))
    c = None
    if version < 11 or draw.chance(0.7):
        c = draw.tensor(fmt, draw.choice(((), (1,), (n,), (1, n), (m, 1), (m, n))))
    alpha, stored_alpha = draw.attribute(draw.choice(("plain", "grid")))
    beta, stored_beta = draw.attribute(draw.choice(("plain", "grid")))
    left, right = a.reals().T if ta else a.reals(), b.reals().T if tb else b.reals()
    added = np.broadcast_to(c.reals(), (m, n)) if c else None
    y = np.empty((m, n), dtype=object)
    for i, j in np.ndindex(m, n):
        y[i, j] = alpha * dot(left[i], right[:, j])
        if c:
            y[i, j] = y[i, j] + beta * added[i, j]
    attributes = {"alpha": stored_alpha, "beta": stored_beta, "transA": ta, "transB": tb}
    return Case(version, [a, b] + ([c] if c else []), [rounded(fmt, y)], attributes)


EQUATIONS = ["ij,jk->ik", "ij->ji", "ii->i", "ii", "ij->", "bij,bjk->bik", "i,i->", "i,j", "ij,ij->i", "ijk,kl,j->il",
             "...i,i...->...", "bhid,bhjd->bhij", "ij,kj", "iij->j", "...ij,...jk->...ik", "i,i,i->i"]


def einsum(equation, operands, sizes, ellipsis):
    """One exact sum of products over every letter that the right side lacks."""
    left, arrow, right = equation.replace("...", "~").partition("->")
    terms = left.split(",")
    letters = sorted(set("".join(terms)) - {"~"})
    if not arrow:
        right = ("~" if "~" in left else "") + "".join(c for c in letters if left.count(c) == 1)
    summed = [c for c in letters if c not in right]
    shape = [s for c in right for s in (ellipsis if c == "~" else [sizes[c]])]
    out = np.empty(shape, dtype=object)
    for index in np.ndindex(out.shape):
        at, rest, dots = {}, list(index), ()
        for c in right:
            if c == "~":
                dots, rest = tuple(rest[:len(ellipsis)]), rest[len(ellipsis):]
            else:
                at[c], rest = rest[0], rest[1:]
        products = []
        for values in itertools.product(*[range(sizes[c]) for c in summed]):
            full = {**at, **dict(zip(summed, values))}
            places = [[i for c in term for i in (dots if c == "~" else (full[c],))] for term in terms]
            products.append(product([x[tuple(p)] for x, p in zip(operands, places)]))
        out[index] = total(products)
    return out


@operator("Einsum")
def einsum_case(draw):
    version, fmt = draw_version(draw, "Einsum", oldest=12)
    equation = draw.choice(EQUATIONS)
    sizes = {c: draw.randint(1, 3) for c in equation if c.isalpha()}
    ellipsis = list(draw.shape(rank=draw.randint(0, 2), high=3))
    terms = equation.partition("->")[0].replace("...", "~").split(",")
    tensors = [draw.tensor(fmt, [s for c in t for s in (ellipsis if c == "~" else [sizes[c]])]) for t in terms]
    y = einsum(equation, [t.reals() for t in tensors], sizes, ellipsis)
    spaced = equation.replace(",", " , ") if draw.chance(0.2) else equation
    return Case(version, tensors, [rounded(fmt, y)], {"equation": spaced})


def draw_window(draw, n, padding=True):
    """Attributes of a window over n spatial dimensions."""
    kernel = [draw.randint(1, 3) for _ in range(n)]
    strides = [draw.randint(1, 3) for _ in range(n)]
    dilations = [draw.choice((1, 1, 2)) for _ in range(n)]
    pads = [draw.randint(0, 1) if padding else 0 for _ in range(2 * n)]
    return kernel, strides, dilations, pads


def reach(kernel, dilation):
    return (kernel - 1) * dilation + 1


def same_pads(size, stride, kernel, dilation, upper):
    """Output size and padding at the beginning of auto_pad SAME_UPPER or SAME_LOWER."""
    out = -(-size // stride)
    whole = max(0, (out - 1) * stride + reach(kernel, dilation) - size)
    return out, whole // 2 if upper else whole - whole // 2, whole


def conv(x, w, bias, group, strides, dilations, begins, out_sizes):
    """Cells outside of x are zeros, and take part like any others."""
    batch, channels = x.shape[0], w.shape[1]
    out = np.empty((batch, w.shape[0], *out_sizes), dtype=object)
    for b, m, *place in np.ndindex(out.shape):
        base = m // (w.shape[0] // group) * channels
        terms = [] if bias is None else [bias[m]]
        for c, *tap in np.ndindex(w.shape[1:]):
            at = [o * s + k * d - p for o, s, k, d, p in zip(place, strides, tap, dilations, begins)]
            inside = all(0 <= i < size for i, size in zip(at, x.shape[2:]))
            terms.append((x[(b, base + c, *at)] if inside else ZERO) * w[(m, c, *tap)])
        out[(b, m, *place)] = total(terms)
    return out


@operator("Conv")
def conv_case(draw):
    version, fmt = draw_version(draw, "Conv", oldest=1)
    n, group = draw.randint(1, 3), draw.choice((1, 1, 2))
    kernel, strides, dilations, pads = draw_window(draw, n)
    channels, outputs = draw.randint(1, 2), group * draw.randint(1, 2)
    sizes = [reach(k, d) + draw.randint(0, 4 if n < 3 else 1) for k, d in zip(kernel, dilations)]
    x = draw.tensor(fmt, (draw.randint(1, 2), channels * group, *sizes))
    w = draw.tensor(fmt, (outputs, channels, *kernel))
    bias = draw.tensor(fmt, (outputs,)) if draw.chance(0.6) else None
    attributes = {"group": group, "strides": strides, "dilations": dilations, "kernel_shape": kernel}
    mode = draw.choice((None, None, None, "SAME_UPPER", "SAME_LOWER", "VALID"))
    if mode in (None, "VALID"):
        pads = pads if mode is None else [0] * (2 * n)
        out = [(s + pads[i] + pads[n + i] - reach(k, d)) // t + 1
               for i, (s, k, d, t) in enumerate(zip(sizes, kernel, dilations, strides))]
        begins = pads[:n]
    else:
        fits = [same_pads(s, t, k, d, mode == "SAME_UPPER") for s, t, k, d in zip(sizes, strides, kernel, dilations)]
        out, begins = [f[0] for f in fits], [f[1] for f in fits]
    attributes.update({"pads": pads} if mode is None else {"auto_pad": mode})
    y = conv(x.reals(), w.reals(), bias.reals() if bias else None, group, strides, dilations, begins, out)
    return Case(version, [x, w] + ([bias] if bias else []), [rounded(fmt, y)], attributes)


@operator("ConvTranspose")
def conv_transpose(draw):
    version, fmt = draw_version(draw, "ConvTranspose", oldest=11)
    n, group = draw.randint(1, 2), draw.choice((1, 1, 2))
    kernel, strides, dilations, pads = draw_window(draw, n)
    extra = [draw.randint(0, max(s, d) - 1) for s, d in zip(strides, dilations)]
    per_group, outputs = draw.randint(1, 2), draw.randint(1, 2)
    sizes = [draw.randint(1, 4) for _ in range(n)]
    full = [s * (i - 1) + e + reach(k, d) for s, i, e, k, d in zip(strides, sizes, extra, kernel, dilations)]
    attributes = {"group": group, "strides": strides, "dilations": dilations, "kernel_shape": kernel,
                  "output_padding": extra}
    if draw.chance(0.25):
        mode = draw.choice(("SAME_UPPER", "SAME_LOWER"))
        out = [i * s for i, s in zip(sizes, strides)]
        whole = [f - o for f, o in zip(full, out)]
        begins = [t // 2 if mode == "SAME_UPPER" else t - t // 2 for t in whole]
        attributes["auto_pad"] = mode
    else:
        if any(f - pads[i] - pads[n + i] < 1 for i, f in enumerate(full)):
            pads = [0] * (2 * n)
        out = [f - pads[i] - pads[n + i] for i, f in enumerate(full)]
        begins = pads[:n]
        attributes["pads"] = pads
    x = draw.tensor(fmt, (draw.randint(1, 2), per_group * group, *sizes))
    w = draw.tensor(fmt, (per_group * group, outputs, *kernel))
    bias = draw.tensor(fmt, (outputs * group,)) if draw.chance(0.5) else None
    y = scatter(x.reals(), w.reals(), bias.reals() if bias else None, group, strides, dilations, begins, out)
    return Case(version, [x, w] + ([bias] if bias else []), [rounded(fmt, y)], attributes)


def scatter(x, w, bias, group, strides, dilations, begins, out_sizes):
    """Every element of x lays its multiple of the kernel down; what no kernel reaches is the bias, else zero."""
    outputs, per_group = w.shape[1], x.shape[1] // group
    terms = {}
    for b, c, *place in np.ndindex(x.shape):
        for m, *tap in np.ndindex(w.shape[1:]):
            at = tuple(i * s + k * d - p for i, s, k, d, p in zip(place, strides, tap, dilations, begins))
            value = x[(b, c, *place)] * w[(c, m, *tap)]
            terms.setdefault((b, c // per_group * outputs + m, *at), []).append(value)
    out = np.empty((x.shape[0], outputs * group, *out_sizes), dtype=object)
    for index in np.ndindex(out.shape):
        own = [] if bias is None else [bias[index[1]]]
        out[index] = total(own + terms.get(index, []))
    return out
