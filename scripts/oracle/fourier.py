"""Fourier transforms, windows, mel filters, determinants."""
from fractions import Fraction
from itertools import permutations
from math import floor

import numpy as np

from oracle import functions as fn
from oracle.draw import fixed, int_tensor
from oracle.elementwise import elements
from oracle.formats import BF16, F16, F32, F64, I32, I64, array, rounded
from oracle.real import NAN, ONE, ZERO, decide, product, real, total
from oracle.suite import Case, draw_version, float_types, operator, since


def transform(values, length, bins, sign, divide):
    """Bins of a line of (real, imaginary) pairs: the sum of x e^(sign 2 pi i k n / length)."""
    out = []
    for k in range(bins):
        reals, imaginaries = [], []
        for n, (a, b) in enumerate(values[:length]):
            c, s = fn.turn(k * n, length)
            s = s if sign > 0 else -s
            reals += [a * c, -(b * s)] if b is not None else [a * c]
            imaginaries += [a * s, b * c] if b is not None else [a * s]
        out.append([total(reals) / divide, total(imaginaries) / divide])
    return out


def pairs(line):
    return [(v[0], v[1] if len(v) == 2 else None) for v in line]


KINDS = ("plain", "grid", "wide", "positive", "mixed")


@operator("DFT")
def dft(draw):
    version = draw.choice(since("DFT"))
    fmt = draw.choice(float_types("DFT", version, "T1"))
    rank = draw.randint(2, 3)
    inverse, onesided = draw.randint(0, 1), draw.choice((0, 0, 1))
    parts = 2 if inverse and onesided else 1 if onesided else draw.randint(1, 2)
    shape = (*draw.shape(rank=rank, low=1, high=5), parts)
    x = draw.tensor(fmt, shape, draw.choice(KINDS))
    axis = draw.randrange(rank)
    length = None
    if draw.chance(0.4):
        length = draw.randint(1, 7)
    elif inverse and onesided and shape[axis] == 1:
        length = 3
    default = 2 * (shape[axis] - 1) if inverse and onesided else shape[axis]
    n = length or default
    lines = np.moveaxis(x.reals(), axis, -2)
    blank = [ZERO] * parts
    outer = lines.shape[:-2]
    bins = n // 2 + 1 if onesided and not inverse else n
    y = np.empty((*outer, bins, 1 if inverse and onesided else 2), dtype=object)
    for index in np.ndindex(*outer):
        line = [list(v) for v in lines[index]]
        if inverse and onesided:
            half = (line + [[ZERO, ZERO]] * n)[:n // 2 + 1]
            half[0] = [half[0][0], ZERO]
            if n % 2 == 0:
                half[n // 2] = [half[n // 2][0], ZERO]
            line = half + [[half[n - k][0], -half[n - k][1]] for k in range(n // 2 + 1, n)]
            y[index] = array([[v[0]] for v in transform(pairs(line), n, n, 1, n)])
        else:
            line = (line + [blank] * n)[:n]
            y[index] = array(transform(pairs(line), n, bins, 1 if inverse else -1, n if inverse else 1))
    y = np.moveaxis(y, -2, axis)
    y = elements(lambda v: ZERO if v.is_zero() else v, y)  # no zero is -0
    attributes = {"inverse": inverse, "onesided": onesided}
    named = axis - (rank + 1 if draw.chance(0.3) else 0)
    length_tensor = int_tensor([length], draw.choice((I32, I64)), ()) if length else None
    if version < 20:
        return Case(version, [x] + ([length_tensor] if length else []), [rounded(fmt, y)], {**attributes, "axis": named})
    return Case(version, [x, length_tensor, int_tensor([named], I64, ())], [rounded(fmt, y)], attributes)


@operator("STFT")
def stft(draw):
    fmt = draw.choice(float_types("STFT", 17, "T1"))
    onesided = draw.choice((None, 0, 1))
    parts = draw.randint(1, 2) if onesided == 0 else 1
    size, step = draw.randint(1, 6), draw.randint(1, 4)
    length = size + draw.randint(0, 8)
    signal = draw.tensor(fmt, (draw.randint(1, 2), length, parts), draw.choice(KINDS))
    window = draw.tensor(fmt, (size,), draw.choice(("positive", "grid"))) if draw.chance(0.6) else None
    frame = int_tensor([size], I64, ()) if window is None or draw.chance(0.5) else None
    frames = (length - size) // step + 1
    bins = size if onesided == 0 else size // 2 + 1
    weights = window.reals() if window else array([ONE] * size)
    y = np.empty((signal.shape[0], frames, bins, 2), dtype=object)
    for b, m in np.ndindex(signal.shape[0], frames):
        line = [[p * weights[n] for p in signal.reals()[b, m * step + n]] for n in range(size)]
        y[b, m] = array(transform(pairs(line), size, bins, -1, 1))
    y = elements(lambda v: ZERO if v.is_zero() else v, y)  # no zero is -0
    inputs = [signal, int_tensor([step], I64, ()), window, frame]
    while inputs[-1] is None:
        inputs.pop()
    return Case(17, inputs, [rounded(fmt, y)], {"onesided": onesided})


def hann(k, n):
    return Fraction(1, 2) - Fraction(1, 2) * fn.turn(k, n)[0]


def hamming(k, n):
    return Fraction(25, 46) - Fraction(21, 46) * fn.turn(k, n)[0]


def blackman(k, n):
    return total([real(Fraction("0.42")), -(Fraction(1, 2) * fn.turn(k, n)[0]), Fraction("0.08") * fn.turn(2 * k, n)[0]])


WINDOWS = {"HannWindow": hann, "HammingWindow": hamming, "BlackmanWindow": blackman}


@operator(*WINDOWS)
def window_case(draw, name):
    fmt = draw.choice((F32, F64, F16, BF16))
    size, periodic = draw.randint(0, 24), draw.choice((None, 0, 1))
    n = size - 1 if periodic == 0 else size
    y = [WINDOWS[name](k, n) if n else NAN for k in range(size)]
    tensor = int_tensor([size], draw.choice((I32, I64)), ())
    return Case(17, [tensor], [rounded(fmt, array(y, (size,)))], {"periodic": periodic, "output_datatype": fmt.code})


@operator("MelWeightMatrix")
def mel_weight_matrix(draw):
    fmt = draw.choice((F32, F64, F16, BF16))
    bins, length, rate = draw.randint(1, 8), draw.choice((8, 16, 32, 64, 31)), draw.choice((8000, 16000, 8192, 1000))
    low = Fraction(draw.randint(0, rate // 8))
    high = low + Fraction(draw.randint(0, rate // 4))
    edges = fixed(F32, [low, high], (2,)).reals()
    base = fn.log((700 + edges[1]) / (700 + edges[0]))
    places = []
    for i in range(bins + 2):
        # 2595 log10(1 + f / 700) is linear in i between the edges, so 700 + f is a geometric sequence.
        ratio = ONE if i == 0 or base.is_zero() else fn.exp(base * i / (bins + 2))
        place = ((700 + edges[0]) * ratio - 700) * (length + 1) / rate
        places.append(decide(place, floor))
    out = [[ZERO] * bins for _ in range(length // 2 + 1)]
    for i in range(bins):
        left, centre, right = places[i:i + 3]
        if centre == left:
            out[centre][i] = ONE
        else:
            for j in range(left, centre + 1):
                out[j][i] = real(Fraction(j - left, centre - left))
        if right > centre:
            for j in range(centre, right):
                out[j][i] = real(Fraction(right - j, right - centre))
    inputs = [int_tensor([v], I64, ()) for v in (bins, length, rate)]
    inputs += [fixed(F32, [v], ()) for v in (low, high)]
    return Case(17, inputs, [rounded(fmt, array(out))], {"output_datatype": fmt.code})


@operator("Det")
def determinant(draw):
    version, fmt = draw_version(draw, "Det", oldest=11)
    size = draw.randint(0, 4)
    x = draw.tensor(fmt, (*draw.shape(rank=draw.randint(0, 2), high=2), size, size))
    values, y = x.reals(), np.empty(x.shape[:-2], dtype=object)
    for index in np.ndindex(*x.shape[:-2]):
        terms = []
        for p in permutations(range(size)):
            odd = sum(p[i] > p[j] for i in range(size) for j in range(i + 1, size)) % 2
            term = product([values[index][i, j] for i, j in enumerate(p)])
            terms.append(-term if odd else term)
        y[index] = total(terms)
    return Case(version, [x], [rounded(fmt, y)])
