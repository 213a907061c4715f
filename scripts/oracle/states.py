"""Convolutions and attention with a state, and convolution at offsets."""
import itertools
from fractions import Fraction
from math import floor, prod

import numpy as np

from oracle import functions as fn
from oracle.formats import F32, array, rounded
from oracle.products import draw_window, reach
from oracle.real import NAN, ZERO, dot, total
from oracle.suite import Case, draw_version, float_types, operator


def sample(values, place):
    """Multilinear interpolation where everything outside is zero; a cell that weighs nothing is a term like the others."""
    if any(p.is_nan() for p in place):
        return NAN
    if any(p.is_inf() for p in place):
        return ZERO
    place = [p.q for p in place]
    terms = []
    for corner in itertools.product((0, 1), repeat=len(place)):
        at = [floor(p) + c for p, c in zip(place, corner)]
        weight = prod((p - floor(p) if c else 1 - (p - floor(p)) for p, c in zip(place, corner)), start=Fraction(1))
        inside = all(0 <= i < size for i, size in zip(at, values.shape))
        terms.append((values[tuple(at)] if inside else ZERO) * weight)
    return total(terms)


@operator("DeformConv")
def deform_conv(draw):
    version, fmt = draw_version(draw, "DeformConv")
    n, group, offset_group = draw.randint(1, 2), draw.choice((1, 2)), draw.choice((1, 2))
    kernel, strides, dilations, pads = draw_window(draw, n)
    sizes = [reach(k, d) + draw.randint(0, 2) for k, d in zip(kernel, dilations)]
    out = [(s + pads[i] + pads[n + i] - reach(kernel[i], dilations[i])) // strides[i] + 1 for i, s in enumerate(sizes)]
    channels, outputs, batch, taps = 2, group * draw.randint(1, 2), draw.randint(1, 2), prod(kernel)
    x = draw.tensor(fmt, (batch, channels, *sizes), draw.choice(("plain", "grid", None)))
    w = draw.tensor(fmt, (outputs, channels // group, *kernel), draw.choice(("plain", "grid", None)))
    offset = draw.tensor(fmt, (batch, offset_group * taps * n, *out), draw.choice(("plain", "grid", "unit", "mixed")))
    bias = draw.tensor(fmt, (outputs,), draw.choice(("plain", "mixed"))) if draw.chance(0.5) else None
    mask = draw.tensor(fmt, (batch, offset_group * taps, *out), draw.choice(("unit", "mixed"))) if draw.chance(0.5) else None
    values, weights, moves = x.reals(), w.reals(), offset.reals()
    y = np.empty((batch, outputs, *out), dtype=object)
    for b, m, *place in np.ndindex(y.shape):
        terms = [bias.reals()[m] if bias else ZERO]  # "default is a tensor of zeros"
        for c, (k, tap) in itertools.product(range(channels // group), enumerate(np.ndindex(*kernel))):
            channel = m // (outputs // group) * (channels // group) + c
            owner = channel // (channels // offset_group)
            at = [o * s - p + t * d + moves[(b, (owner * taps + k) * n + a, *place)]
                  for a, (o, s, p, t, d) in enumerate(zip(place, strides, pads, tap, dilations))]
            term = sample(values[b, channel], at) * weights[(m, c, *tap)]
            terms.append(term * mask.reals()[(b, owner * taps + k, *place)] if mask else term)
        y[(b, m, *place)] = total(terms)
    inputs = [x, w, offset, bias, mask]
    while inputs[-1] is None:
        inputs.pop()
    return Case(version, inputs, [rounded(fmt, y)], {"group": group, "offset_group": offset_group, "kernel_shape": kernel,
                                                     "strides": strides, "dilations": dilations, "pads": pads})


@operator("CausalConvWithState")
def causal_conv(draw):
    fmt = draw.choice(float_types("CausalConvWithState", 27, "T"))
    batch, channels, length, k = (draw.randint(1, n) for n in (2, 3, 4, 4))
    kind = draw.choice(("plain", "grid", "cancel", None))
    x, w = draw.tensor(fmt, (batch, channels, length), kind), draw.tensor(fmt, (channels, 1, k), kind)
    bias = draw.tensor(fmt, (channels,), kind) if draw.chance(0.5) else None
    past = draw.tensor(fmt, (batch, channels, k - 1), kind) if draw.chance(0.5) else None
    before = past.reals() if past else np.full((batch, channels, k - 1), ZERO, dtype=object)
    line = np.concatenate([before, x.reals()], axis=2)
    activation = draw.choice((None, "none", "silu", "swish"))
    y = np.empty(x.shape, dtype=object)
    for b, c, t in np.ndindex(y.shape):
        v = dot(line[b, c, t:t + k], w.reals()[c, 0])
        v = v + bias.reals()[c] if bias else v
        y[b, c, t] = v * fn.sigmoid(v) if activation in ("silu", "swish") else v
    inputs = [x, w, bias, past]
    while inputs[-1] is None:
        inputs.pop()
    return Case(27, inputs, [rounded(fmt, y), rounded(fmt, line[:, :, length:])], {"activation": activation})


@operator("LinearAttention")
def linear_attention(draw):
    fmt = draw.choice(float_types("LinearAttention", 27, "T"))
    batch, steps, kv_heads, dk, dv = (draw.randint(1, n) for n in (2, 3, 2, 3, 3))
    q_heads = kv_heads * draw.randint(1, 2)
    rule = draw.choice((None, "linear", "gated", "delta", "gated_delta"))
    gated, delta = rule in (None, "gated", "gated_delta"), rule in (None, "delta", "gated_delta")

    def tensor(width, kind="plain"):
        return draw.tensor(fmt, (batch, steps, width), draw.choice((kind, kind, kind, "grid", "mixed", "wide")))
    q, k, v = tensor(q_heads * dk), tensor(kv_heads * dk), tensor(kv_heads * dv)
    per_key = draw.chance(0.5)
    decay = tensor(kv_heads * dk if per_key else kv_heads) if gated else None
    beta = tensor(draw.choice((1, kv_heads)), "unit") if delta else None
    state_fmt = draw.choice(float_types("LinearAttention", 27, "S"))
    past = draw.tensor(state_fmt, (batch, kv_heads, dk, dv), "plain") if draw.chance(0.5) else None
    state_fmt = state_fmt if past else fmt
    scale, attributes = 1 / fn.sqrt(dk), {"q_num_heads": q_heads, "kv_num_heads": kv_heads, "update_rule": rule}
    if draw.chance(0.4):
        scale, attributes["scale"] = draw.attribute("positive")
    state = past.reals() if past else np.full((batch, kv_heads, dk, dv), ZERO, dtype=object)
    y = np.empty((batch, steps, q_heads * dv), dtype=object)
    values = {name: t.reals() if t else None for name, t in (("q", q), ("k", k), ("v", v), ("g", decay), ("beta", beta))}
    for b, t, h in np.ndindex(batch, steps, kv_heads):
        old = state[b, h].copy()
        key = values["k"][b, t, h * dk:(h + 1) * dk]
        if gated:
            for i in range(dk):
                factor = fn.exp(values["g"][b, t, h * dk + i if per_key else h])
                old[i] = array([s * factor for s in old[i]])
        for j in range(dv):
            new = values["v"][b, t, h * dv + j]
            if delta:
                new = values["beta"][b, t, h % beta.shape[2]] * (new - dot(old[:, j], key))
            for i in range(dk):  # the state that goes on is a float32
                state[b, h, i, j] = F32.round(old[i, j] + key[i] * new)
        for head in range(h * (q_heads // kv_heads), (h + 1) * (q_heads // kv_heads)):
            query = values["q"][b, t, head * dk:(head + 1) * dk]
            for j in range(dv):
                y[b, t, head * dv + j] = dot(query, state[b, h, :, j]) * scale
    inputs = [q, k, v, past, decay, beta]
    while inputs[-1] is None:
        inputs.pop()
    return Case(27, inputs, [rounded(fmt, y), rounded(state_fmt, state)], attributes)
