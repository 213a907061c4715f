"""Quantizers, and casts between floating formats."""
import numpy as np

from oracle.draw import int_tensor
from oracle.formats import (BF16, E4M3, E4M3Z, E5M2, E5M2Z, F16, F32, F64, I8, I16,
                            I32, U8, U16, Tensor, array, rounded)
from oracle.real import NAN, ZERO, maximum, minimum, real
from oracle.suite import Case, operator, since

FLOAT8 = (E4M3, E5M2, E4M3Z, E5M2Z)


@operator("Cast")
def cast(draw):
    version = draw.choice(since("Cast", oldest=13))
    formats = [F32, F64, F16, BF16, *(FLOAT8 if version >= 19 else ())]
    source, target = draw.choice(formats[:4] * 2 + formats), draw.choice(formats)
    saturate = draw.randint(0, 1)
    # Where no version's table is in doubt: before 24 an infinity has two answers in the fnuz formats.
    x = draw.tensor(source, draw.shape(), infinite=source.has_inf and not (target.fnuz and version < 24))
    if draw.chance(0.4):  # halfway between two neighbours of the target
        x = Tensor(source, x.shape, [halfway(draw, source, target) for _ in x.bits])
    y = rounded(target, x.reals(), bool(saturate) and target in FLOAT8)
    attributes = {"to": target.code}
    if version >= 19:
        attributes["saturate"] = saturate
    return Case(version, [x], [y], attributes)


def halfway(draw, source, target):
    low = draw.randrange(target.largest_code)
    middle = (target.magnitude(low) + target.magnitude(low + 1)) / 2
    bits = source.nearest(middle, False, True) + draw.choice((0, 0, 1, -1))
    return max(0, min(bits, source.largest_code)) | (0 if draw.chance(0.5) else source.sign)


def spread(parameter, shape, axis, block):
    """A scale or zero point at every element: one for all, one per index of the axis, or one per block of it."""
    if parameter.ndim == 0 or parameter.size == 1 and block == 0:
        return np.broadcast_to(parameter.reshape(()), shape)
    if block == 0:
        return np.broadcast_to(parameter.reshape([-1 if a == axis else 1 for a in range(len(shape))]), shape)
    return np.repeat(parameter, block, axis=axis).take(range(shape[axis]), axis=axis)


def draw_granularity(draw, version, per_axis, blocked):
    """Shape of x, of its scale, and the attributes that say how they belong together."""
    shape = draw.shape(rank=draw.randint(1, 3), high=5)
    kind = draw.choice(["tensor"] + ["axis"] * (version >= per_axis) + ["block"] * (version >= blocked))
    axis = draw.randrange(len(shape))
    if kind == "tensor":
        return shape, draw.choice(((), (1,))), axis, 0, {}
    if kind == "axis":
        return shape, (shape[axis],), axis, 0, {"axis": axis - (len(shape) if draw.chance(0.3) else 0)}
    block = draw.randint(1, shape[axis])
    scale = [-(-d // block) if a == axis else d for a, d in enumerate(shape)]
    return shape, tuple(scale), axis, block, {"axis": axis, "block_size": block}


def positive(draw, fmt, shape):
    return draw.tensor(fmt, shape, draw.choice(("positive", "unit", "grid")))


def quantized(quotient, zero, fmt):
    """Round to nearest even, add the zero point, saturate."""
    if quotient.is_inf():
        return fmt.low if quotient.minus else fmt.high
    return max(fmt.low, min(fmt.high, round(quotient.q) + zero))


@operator("QuantizeLinear")
def quantize(draw):
    version = draw.choice(since("QuantizeLinear", oldest=10))
    shape, scale_shape, axis, block, attributes = draw_granularity(draw, version, 13, 21)
    scale_fmt = F32 if version < 19 else draw.choice((F32, F16, BF16))
    x_fmt = F32 if version < 19 else scale_fmt if version < 23 else draw.choice((F32, F16, BF16))
    targets = [U8, I8] + [U16, I16] * (version >= 21) + list(FLOAT8) * (version >= 19)
    target = draw.choice(targets)
    scale = positive(draw, scale_fmt, scale_shape)
    x = draw.tensor(x_fmt, shape, draw.choice(("plain", "grid", "cancel", "wide", "mixed")))
    working = scale_fmt
    if version >= 23 and draw.chance(0.3):
        working = draw.choice((F32, F16, BF16))
        attributes["precision"] = working.code
    saturate = 1
    if version >= 19:
        attributes["saturate"] = saturate = draw.randint(0, 1)
    if target in FLOAT8:
        zero = Tensor(target, scale_shape, [0] * len(scale.bits))
        zeros = array([ZERO] * len(scale.bits), scale_shape)
    else:
        zero = draw.integers(scale_shape, target.low, target.high, target)
        zeros = zero.reals()
    if target is U8 and draw.chance(0.3):
        zero, zeros = None, array([ZERO] * len(scale.bits), scale_shape)
    scales, zeros = spread(scale.reals(), shape, axis, block), spread(zeros, shape, axis, block)
    values, y = x.reals(), np.empty(shape, dtype=object)
    for index in np.ndindex(*shape):
        quotient = working.round(working.round(values[index]) / working.round(scales[index]))
        if target in FLOAT8:
            y[index] = quotient + zeros[index] if quotient.finite() else quotient
        else:
            # 0 / 0 has no value in an integer; the project marks it, and so does not fail on it.
            y[index] = target.low if quotient.is_nan() else quantized(quotient, int(zeros[index].q), target)
    out = rounded(target, y, bool(saturate)) if target in FLOAT8 else rounded(target, y)
    return Case(version, [x, scale] + ([zero] if zero else []), [out], attributes)


@operator("DequantizeLinear")
def dequantize(draw):
    version = draw.choice(since("DequantizeLinear", oldest=10))
    shape, scale_shape, axis, block, attributes = draw_granularity(draw, version, 13, 21)
    scale_fmt = F32 if version < 19 else draw.choice((F32, F16, BF16))
    source = draw.choice([U8, I8, I32] + list(FLOAT8) * (version >= 19) + [U16, I16] * (version >= 21))
    out_fmt = scale_fmt
    if version >= 23 and draw.chance(0.3):
        out_fmt = draw.choice((F32, F16, BF16))
        attributes["output_dtype"] = out_fmt.code
    scale = draw.tensor(scale_fmt, scale_shape, draw.choice(("positive", "wide", "plain")))
    zero = None
    if source in FLOAT8:
        x = draw.tensor(source, shape, "mixed", infinite=source.has_inf)
    else:
        x = draw.integers(shape, source.low, source.high, source)
        if source is not I32 and draw.chance(0.7):
            zero = draw.integers(scale_shape, source.low, source.high, source)
    scales = spread(scale.reals(), shape, axis, block)
    zeros = spread(zero.reals(), shape, axis, block) if zero else None
    values, y = x.reals(), np.empty(shape, dtype=object)
    for index in np.ndindex(*shape):
        difference = values[index] - zeros[index] if zero else values[index]
        y[index] = difference * scales[index]
    return Case(version, [x, scale] + ([zero] if zero else []), [rounded(out_fmt, y)], attributes)


@operator("DynamicQuantizeLinear")
def dynamic_quantize(draw):
    x = draw.tensor(F32, draw.shape(high=5), draw.choice(("plain", "grid", "positive", "cancel", "wide")))
    values = list(x.reals().reshape(-1))
    low, high = minimum([ZERO, *values]), maximum([ZERO, *values])
    scale = F32.round((high - low) / 255)
    if scale.is_zero():
        zero, levels = 0, [0] * len(values)
    else:
        ratio = F32.round((ZERO - low) / scale)
        zero = round(max(0, min(255, ratio.q)))
        levels = [max(0, min(255, round(F32.round(v / scale).q) + zero)) for v in values]
    outputs = [int_tensor(levels, U8, x.shape), rounded(F32, array(scale)), int_tensor([zero], U8, ())]
    return Case(11, [x], outputs)


@operator("QLinearMatMul")
def qlinear_matmul(draw):
    version = draw.choice(since("QLinearMatMul"))
    scale_fmt = F32 if version < 21 else draw.choice((F32, F16, BF16))
    m, k, n = draw.randint(1, 4), draw.randint(1, 9), draw.randint(1, 4)
    batch = draw.shape(rank=draw.randint(0, 1), high=2)
    kinds = [draw.choice((U8, I8)) for _ in range(3)]
    a = draw.integers((*batch, m, k), kinds[0].low, kinds[0].high, kinds[0])
    b = draw.integers((k, n), kinds[1].low, kinds[1].high, kinds[1])
    scales = [draw.tensor(scale_fmt, (), "positive") for _ in range(3)]
    zeros = [draw.integers((), t.low, t.high, t) for t in kinds]
    (sa, sb, sy), (za, zb, zy) = [s.reals()[()].q for s in scales], [int(z.integers()) for z in zeros]
    left, right = a.integers() - za, b.integers() - zb
    accumulated = np.matmul(left, right)
    y = np.empty(accumulated.shape, dtype=object)
    for index, value in np.ndenumerate(accumulated):
        y[index] = quantized(real(int(value) * sa * sb / sy) if sy else NAN, zy, kinds[2])
    return Case(version, [a, scales[0], zeros[0], b, scales[1], zeros[1], scales[2], zeros[2]], [rounded(kinds[2], y)])
