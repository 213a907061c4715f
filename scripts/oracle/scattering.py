"""Sums that land: Col2Im, and the reductions of ScatterElements and ScatterND."""
import itertools
from math import prod

import numpy as np

from oracle.draw import int_tensor
from oracle.formats import rounded
from oracle.products import draw_window, reach
from oracle.real import maximum, minimum, product, total
from oracle.suite import Case, draw_version, float_types, operator, since


@operator("Col2Im")
def col2im(draw):
    """Every column lays its block down: the sum of what lands, +0 where nothing does, as in ConvTranspose."""
    version, fmt = draw_version(draw, "Col2Im")
    n = draw.choice((1, 2, 2, 3))
    block, strides, dilations, pads = draw_window(draw, n)
    image = [max(1, reach(k, d) - pads[i] - pads[n + i]) + draw.randint(0, 3)
             for i, (k, d) in enumerate(zip(block, dilations))]
    counts = [(s + pads[i] + pads[n + i] - reach(block[i], dilations[i])) // strides[i] + 1 for i, s in enumerate(image)]
    batch, channels = draw.randint(1, 2), draw.randint(1, 2)
    x = draw.tensor(fmt, (batch, channels * prod(block), prod(counts)))
    values, landed = x.reals(), {}
    for b, c in np.ndindex(batch, channels):
        for (k, tap), (l, place) in itertools.product(enumerate(np.ndindex(*block)), enumerate(np.ndindex(*counts))):
            at = tuple(p * s - pad + t * d for p, s, pad, t, d in zip(place, strides, pads, tap, dilations))
            landed.setdefault((b, c, *at), []).append(values[b, c * prod(block) + k, l])
    y = np.empty((batch, channels, *image), dtype=object)
    for index in np.ndindex(y.shape):
        y[index] = total(landed.get(index, []))
    attributes = {"strides": strides, "dilations": dilations, "pads": pads}
    return Case(version, [x, int_tensor(image), int_tensor(block)], [rounded(fmt, y)], attributes)


FOLDS = {"add": total, "mul": product, "max": maximum, "min": minimum}


def draw_reduction(draw, name):
    version = draw.choice([v for v in since(name) if v >= 16])
    fmt = draw.choice(float_types(name, version, "T"))
    return version, fmt, draw.choice(("add", "add", "mul") + (("max", "min") if version >= 18 else ()))


def folded(data, hits, fold):
    """What was there and all that hit it, at once."""
    y = data.copy()
    for at, values in hits.items():
        y[at] = FOLDS[fold]([data[at], *values])
    return y


@operator("ScatterElements")
def scatter_elements(draw):
    version, fmt, fold = draw_reduction(draw, "ScatterElements")
    shape = draw.shape(rank=draw.randint(1, 3), high=4)
    axis = draw.randrange(len(shape))
    part = tuple(draw.randint(1, 5) if a == axis else draw.randint(1, d) for a, d in enumerate(shape))
    data, updates = draw.tensor(fmt, shape), draw.tensor(fmt, part)
    indices = draw.integers(part, -shape[axis], shape[axis] - 1)
    hits, targets, values = {}, indices.integers(), updates.reals()
    for index in np.ndindex(part):
        at = tuple(int(targets[index]) % d if a == axis else i for a, (i, d) in enumerate(zip(index, shape)))
        hits.setdefault(at, []).append(values[index])
    y = folded(data.reals(), hits, fold)
    return Case(version, [data, indices, updates], [rounded(fmt, y)], {"axis": axis, "reduction": fold})


@operator("ScatterND")
def scatter_nd(draw):
    version, fmt, fold = draw_reduction(draw, "ScatterND")
    shape = draw.shape(rank=draw.randint(1, 3), high=4)
    depth = draw.randint(1, len(shape))
    outer = draw.shape(rank=draw.randint(1, 2), high=4)
    rows = [[draw.randint(-d, d - 1) for d in shape[:depth]] for _ in range(prod(outer))]
    indices = int_tensor([i for row in rows for i in row], shape=outer + (depth,))
    data, updates = draw.tensor(fmt, shape), draw.tensor(fmt, outer + shape[depth:])
    values, hits = updates.reals().reshape((len(rows),) + shape[depth:]), {}
    for r, row in enumerate(rows):
        for rest in np.ndindex(shape[depth:]):
            at = tuple(i % d for i, d in zip(row, shape)) + rest
            hits.setdefault(at, []).append(values[(r, *rest)])
    return Case(version, [data, indices, updates], [rounded(fmt, folded(data.reals(), hits, fold))], {"reduction": fold})
