"""The functions of the formulas over extended reals: special values by IEEE 754's limits, the rest by mpmath."""
from fractions import Fraction
from math import isqrt

import mpmath

from oracle.real import INF, MINUS_INF, MINUS_ZERO, NAN, ONE, ZERO, Undecided, enclosed, real, total, widened


def rising(f):
    """Bounds of a function that rises."""
    return lambda x: widened(f(x[0]), f(x[1]))


def gentle(f):
    """Bounds of a function whose slope is at most 1 in magnitude."""
    def bounds(x):
        middle, radius = (x[0] + x[1]) / 2, (x[1] - x[0])
        low, high = widened(f(middle), f(middle))
        return low - radius, high + radius
    return bounds


PI = enclosed(lambda: widened(+mpmath.pi, +mpmath.pi))


def function(bounds, at_inf, at_minus_inf, at_zero=None, domain=None, fixed=None):
    """at_zero None keeps the zero; outside of domain is NaN; fixed maps fractions to their exact results."""
    def apply(x):
        x = real(x)
        if x.is_nan():
            return NAN
        if x.is_inf():
            return at_minus_inf if x.minus else at_inf
        if x.is_zero():
            return x if at_zero is None else at_zero
        if domain and not domain(x):
            return NAN
        if fixed and x.exact() and x.q in fixed:
            return fixed[x.q]
        return enclosed(bounds, x)
    return apply


HALF_PI = PI / 2
exp = function(rising(mpmath.exp), INF, ZERO, ONE)
expm1 = function(rising(mpmath.expm1), INF, real(-1))
log = function(rising(mpmath.log), INF, NAN, MINUS_INF, lambda x: not x.negative(), {1: ZERO})
log1p = function(rising(mpmath.log1p), INF, NAN, None, lambda x: x >= -1, {-1: MINUS_INF})
sin = function(gentle(mpmath.sin), NAN, NAN)
cos = function(gentle(mpmath.cos), NAN, NAN, ONE)
asin = function(rising(mpmath.asin), NAN, NAN, None, lambda x: abs(x) <= 1)
_acos = function(lambda x: widened(mpmath.acos(x[1]), mpmath.acos(x[0])), NAN, NAN, HALF_PI,
                 lambda x: abs(x) <= 1, {1: ZERO})
atan = function(rising(mpmath.atan), HALF_PI, -HALF_PI)
sinh = function(rising(mpmath.sinh), INF, MINUS_INF)
asinh = function(rising(mpmath.asinh), INF, MINUS_INF)
acosh = function(rising(mpmath.acosh), INF, NAN, NAN, lambda x: x >= 1, {1: ZERO})
atanh = function(rising(mpmath.atanh), NAN, NAN, None, lambda x: abs(x) <= 1, {1: INF, -1: MINUS_INF})
tanh = function(rising(mpmath.tanh), ONE, real(-1))
erf = function(rising(mpmath.erf), ONE, real(-1))
erfc = function(lambda x: widened(mpmath.erfc(x[1]), mpmath.erfc(x[0])), ZERO, real(2), ONE)


def acos(x):
    return _acos(x)


def tan(x):
    return x if real(x).is_zero() else sin(x) / cos(x)


def cosh(x):
    # Even, and rising away from 0.
    return function(rising(mpmath.cosh), INF, INF, ONE)(abs(real(x)))


def exact_root(q):
    """The square root of a fraction if that is a fraction, else None."""
    top, bottom = isqrt(q.numerator), isqrt(q.denominator)
    return Fraction(top, bottom) if top * top == q.numerator and bottom * bottom == q.denominator else None


def sqrt(x):
    x = real(x)
    if x.is_nan() or x.is_zero():
        return x
    if x.negative():
        return NAN
    if x.is_inf():
        return INF
    if x.exact() and exact_root(x.q) is not None:
        return real(exact_root(x.q))
    return enclosed(lambda b: widened(mpmath.sqrt(max(b[0], mpmath.mpf(0))), mpmath.sqrt(b[1])), x)


def is_integer(y):
    return y.exact() and y.q.denominator == 1


def pow_special(x, y):
    """C's pow where an operand is special, or None."""
    if y.is_zero() or (x.exact() and x.q == 1):
        return ONE
    if x.is_nan() or y.is_nan():
        return NAN
    odd = is_integer(y) and y.q.numerator % 2 == 1
    if y.is_inf():
        size = abs(x)
        if size.exact() and size.q == 1:
            return ONE
        return INF if (size > 1) != y.minus else ZERO
    if x.is_zero():
        if y.negative():
            return MINUS_INF if odd and x.minus else INF
        return x if odd else ZERO
    if x.is_inf():
        small = y.negative()
        minus = x.minus and odd
        return (MINUS_ZERO if minus else ZERO) if small else (MINUS_INF if minus else INF)
    return None


def power(x, y):
    x, y = real(x), real(y)
    special = pow_special(x, y)
    if special is not None:
        return special
    if x.negative() and not is_integer(y):
        return NAN
    if x.exact() and y.exact():
        small = abs(y.q.numerator) * max(x.q.numerator.bit_length(), x.q.denominator.bit_length()) < 20000
        if is_integer(y) and small:
            return real(x.q ** y.q.numerator)
        # A root of a power of two's order may be rational.
        base, exponent = abs(x.q), y.q
        while exponent.denominator > 1 and exponent.denominator & 1 == 0 and exact_root(base) is not None:
            base, exponent = exact_root(base), exponent * 2
            if base == 1:
                return ONE
        if exponent.denominator == 1 and abs(exponent.numerator) < 1000:
            return real(base ** exponent.numerator)
    size = exp(y * log(abs(x)))
    return -size if x.negative() and y.q.numerator % 2 == 1 else size


def sigmoid(x):
    return 1 / (1 + exp(-real(x)))


def softplus(x):
    return log1p(exp(x))


def turn(k, n):
    """cos and sin of 2 pi k / n, exact where they are fractions."""
    angle = Fraction(k % n, n)
    return _cosine(angle), _cosine(angle - Fraction(1, 4))


def _cosine(angle):
    angle = angle % 1
    angle = min(angle, 1 - angle)
    known = {Fraction(0): 1, Fraction(1, 6): Fraction(1, 2), Fraction(1, 4): 0, Fraction(1, 3): Fraction(-1, 2),
             Fraction(1, 2): -1}
    return real(known[angle]) if angle in known else cos(2 * PI * angle)


def _near_largest(xs):
    """The largest, or one that no precision tells from it."""
    top = xs[0]
    for x in xs:
        try:
            top = x if top < x else top
        except Undecided:
            pass
    return top


def softmax(xs):
    """e^x over its sum, by the text: a row of -infinity alone is 0/0, at +infinity infinity/infinity."""
    finite = [x for x in xs if x.finite()]
    if not finite or any(not x.finite() and not x.is_inf() for x in xs) or any(x.is_inf() and not x.minus for x in xs):
        powers = [exp(x) for x in xs]
    else:
        top = _near_largest(finite)  # any number near it would do
        powers = [exp(x - top) for x in xs]
    below = total(powers)
    return [p / below for p in powers]


def logsumexp(xs):
    """ln of the sum of e^x: -infinity of nothing, +infinity when one is."""
    if any(x.is_nan() for x in xs):
        return NAN
    if any(x.is_inf() and not x.minus for x in xs):
        return INF
    finite = [x for x in xs if x.finite()]
    if not finite:
        return MINUS_INF
    top = finite[0]
    for x in finite:
        top = x if top < x else top
    rest = list(finite)
    rest.remove(top)
    many = total([exp(x - top) for x in rest])
    return total([top, log1p(many)])
