"""Operators that map elements: the formula of each as its text has it, over extended reals."""
from fractions import Fraction
from math import floor

import numpy as np

from oracle import functions as fn
from oracle.draw import broadcastable, fixed
from oracle.formats import F32, I32, I64, rounded
from oracle.real import MINUS_ZERO, NAN, ONE, ZERO, Real, maximum, minimum, real, total
from oracle.suite import Case, draw_version, float_types, operator


def elements(formula, *operands):
    """The formula on every element of arrays that broadcast together."""
    operands = np.broadcast_arrays(*operands) if len(operands) > 1 else operands
    out = np.empty(operands[0].shape, dtype=object)
    for index in np.ndindex(out.shape):
        out[index] = formula(*[o[index] for o in operands])
    return out


def stepped(step):
    """A rounding to integers, which leaves zeros, infinities and NaN alone and keeps the sign of a zero result."""
    def apply(x):
        if not x.exact() or x.q == 0:
            return x
        whole = step(x.q)
        return Real("exact", Fraction(whole), whole == 0 and x.q < 0)
    return apply


def sign(x):
    return x if x.is_nan() else ZERO if x.is_zero() else -ONE if x.negative() else ONE


UNARY = {
    "Abs": abs, "Neg": lambda x: -x, "Reciprocal": lambda x: 1 / x, "Sign": sign,
    "Ceil": stepped(lambda q: -floor(-q)), "Floor": stepped(floor), "Round": stepped(round),
    "Relu": lambda x: maximum([ZERO, x]),
    "Sqrt": fn.sqrt, "Exp": fn.exp, "Log": fn.log, "Sin": fn.sin, "Cos": fn.cos, "Tan": fn.tan, "Asin": fn.asin,
    "Acos": fn.acos, "Atan": fn.atan, "Sinh": fn.sinh, "Cosh": fn.cosh, "Tanh": fn.tanh, "Asinh": fn.asinh,
    "Acosh": fn.acosh, "Atanh": fn.atanh, "Erf": fn.erf, "Sigmoid": fn.sigmoid, "Softplus": fn.softplus,
    "Softsign": lambda x: x / (1 + abs(x)),
    "HardSwish": lambda x: x * maximum([ZERO, minimum([ONE, x / 6 + Fraction(1, 2)])]),
    "Mish": lambda x: x * fn.tanh(fn.softplus(x)),
}
# Where the interesting part of a function is narrow.
UNIT_DOMAIN = {"Asin", "Acos", "Atanh"}


@operator(*UNARY)
def unary(draw, name):
    version, fmt = draw_version(draw, name, oldest=1)
    kind = draw.choice(("unit", "mixed")) if name in UNIT_DOMAIN else None
    x = draw.tensor(fmt, draw.shape(), kind)
    return Case(version, [x], [rounded(fmt, elements(UNARY[name], x.reals()))])


def gelu(x, tanh):
    if not tanh:
        # 1 + erf(z) is erfc(-z), which keeps its digits where erf is near -1.
        return Fraction(1, 2) * x * fn.erfc(-x / fn.sqrt(2))
    inner = fn.sqrt(2 / fn.PI) * (x + Fraction("0.044715") * fn.power(x, 3))
    return Fraction(1, 2) * x * (2 / (1 + fn.exp(-2 * inner)))  # 1 + tanh(u) = 2 / (1 + e^-2u)


@operator("Gelu")
def gelu_case(draw):
    version, fmt = draw_version(draw, "Gelu")
    form = draw.choice((None, "none", "tanh"))
    x = draw.tensor(fmt, draw.shape())
    y = elements(lambda v: gelu(v, form == "tanh"), x.reals())
    return Case(version, [x], [rounded(fmt, y)], {"approximate": form})


def elu(x, alpha):
    return alpha * fn.expm1(x) if x < 0 else x


def celu(x, alpha):
    return total([maximum([ZERO, x]), minimum([ZERO, alpha * fn.expm1(x / alpha)])])


def selu(x, alpha, gamma):
    if x.is_zero():
        return gamma * (alpha - alpha)
    return gamma * alpha * fn.expm1(x) if x <= 0 else gamma * x


def hard_sigmoid(x, alpha, beta):
    return maximum([ZERO, minimum([ONE, alpha * x + beta])])


def thresholded(x, alpha):
    return x if x > alpha else ZERO


def shrink(x, bias, lambd):
    return x + bias if x < -lambd else x - bias if x > lambd else ZERO


def swish(x, alpha):
    return x * fn.sigmoid(alpha * x)


def leaky(x, alpha):
    return alpha * x if x < 0 else x


# formula, attributes in its order with the defaults of the schema
PARAMETRIC = {
    "Elu": (elu, {"alpha": "1"}), "Celu": (celu, {"alpha": "1"}),
    "Selu": (selu, {"alpha": "1.67326319217681884765625", "gamma": "1.05070102214813232421875"}),
    "HardSigmoid": (hard_sigmoid, {"alpha": "0.2", "beta": "0.5"}), "LeakyRelu": (leaky, {"alpha": "0.01"}),
    "ThresholdedRelu": (thresholded, {"alpha": "1"}), "Shrink": (shrink, {"bias": "0", "lambd": "0.5"}),
    "Swish": (swish, {"alpha": "1"}),
}


@operator(*PARAMETRIC)
def parametric(draw, name):
    version, fmt = draw_version(draw, name, oldest=6 if name == "Selu" else 1)
    formula, defaults = PARAMETRIC[name]
    values, attributes = [], {}
    for attribute, default in defaults.items():
        value = F32.round(real(Fraction(default)))
        if draw.chance(0.6):
            value, attributes[attribute] = draw.attribute("positive" if name in ("Celu", "Shrink") else "plain")
        values.append(value)
    x = draw.tensor(fmt, draw.shape())
    return Case(version, [x], [rounded(fmt, elements(lambda v: formula(v, *values), x.reals()))], attributes)


BINARY = {"Add": lambda a, b: a + b, "Sub": lambda a, b: a - b, "Mul": lambda a, b: a * b, "Div": lambda a, b: a / b}


@operator(*BINARY)
def binary(draw, name):
    version, fmt = draw_version(draw, name)
    a, b = [draw.tensor(fmt, s) for s in broadcastable(draw, 2)]
    return Case(version, [a, b], [rounded(fmt, elements(BINARY[name], a.reals(), b.reals()))])


@operator("PRelu")
def prelu(draw):
    version, fmt = draw_version(draw, "PRelu")
    x = draw.tensor(fmt, draw.shape())
    slope = draw.tensor(fmt, tuple(1 if draw.chance(0.3) else d for d in x.shape)[draw.randint(0, len(x.shape)):])
    y = elements(lambda v, s: s * v if v < 0 else v, x.reals(), slope.reals())
    return Case(version, [x, slope], [rounded(fmt, y)])


@operator("Pow")
def pow_case(draw):
    version, fmt = draw_version(draw, "Pow")
    power_fmt = fmt
    if version >= 12:
        allowed = float_types("Pow", version, "T1")
        if fmt not in allowed or draw.chance(0.5):
            power_fmt = draw.choice([*allowed, I32, I64])
    a, b = broadcastable(draw, 2)
    x = draw.tensor(fmt, a, draw.choice(("positive", "grid", "mixed")))
    if power_fmt in (I32, I64):
        y = draw.integers(b, -9, 9, power_fmt)
    else:
        y = draw.tensor(power_fmt, b, draw.choice(("plain", "grid", "mixed")))
    return Case(version, [x, y], [rounded(fmt, elements(fn.power, x.reals(), y.reals()))])


def fmod(x, y):
    """The remainder with the sign of the dividend."""
    if x.is_nan() or y.is_nan() or x.is_inf() or y.is_zero():
        return NAN
    if y.is_inf() or x.is_zero():
        return x
    rest = abs(x.q) % abs(y.q)
    return Real("exact", -rest if x.q < 0 else rest, x.q < 0 and rest == 0)


def floor_mod(x, y):
    """Mod-28 without fmod: the remainder with the sign of the divisor, zeros too; an infinite divisor as in Python."""
    if x.is_nan() or y.is_nan() or x.is_inf() or y.is_zero():
        return NAN
    if x.is_zero():
        return MINUS_ZERO if y.negative() else ZERO
    if y.is_inf():
        return x if x.negative() == y.minus else y
    rest = x.q - y.q * floor(x.q / y.q)
    return Real("exact", rest, rest == 0 and y.q < 0)


@operator("Mod")
def mod(draw):
    version, fmt = draw_version(draw, "Mod", oldest=10)
    truncating = version < 28 or draw.chance(0.5)
    a, b = [draw.tensor(fmt, s) for s in broadcastable(draw, 2)]
    y = elements(fmod if truncating else floor_mod, a.reals(), b.reals())
    return Case(version, [a, b], [rounded(fmt, y)], {"fmod": int(truncating)})


VARIADIC = {"Sum": total, "Mean": lambda xs: total(xs) / len(xs), "Max": maximum, "Min": minimum}


@operator(*VARIADIC)
def variadic(draw, name):
    version, fmt = draw_version(draw, name, oldest=8)
    tensors = [draw.tensor(fmt, s) for s in broadcastable(draw, draw.randint(1, 4))]
    y = elements(lambda *xs: VARIADIC[name](list(xs)), *[t.reals() for t in tensors])
    if len(tensors) == 1:
        y = tensors[0].reals()
    return Case(version, tensors, [rounded(fmt, y)])


@operator("Clip")
def clip(draw):
    version, fmt = draw_version(draw, "Clip", oldest=11)
    x = draw.tensor(fmt, draw.shape())
    low, high = sorted((draw.fraction(fmt, "plain") for _ in range(2)))
    low, high = (fixed(fmt, [fmt.decode(fmt.nearest(q, False))], ()) for q in (low, high))
    bounds = (low.reals()[()], high.reals()[()])
    y = elements(lambda v: minimum([maximum([v, bounds[0]]), bounds[1]]), x.reals())
    return Case(version, [x, low, high], [rounded(fmt, y)])


@operator("SwiGLU")
def swiglu(draw):
    version, fmt = draw_version(draw, "SwiGLU")
    shape = draw.shape()
    a, b = draw.tensor(fmt, shape), draw.tensor(fmt, shape)
    alpha, stored = draw.attribute()
    attributes = {"alpha": stored} if draw.chance(0.5) else {}
    y = elements(lambda u, v: u * fn.sigmoid((alpha if attributes else ONE) * u) * v, a.reals(), b.reals())
    return Case(version, [a, b], [rounded(fmt, y)], attributes)
