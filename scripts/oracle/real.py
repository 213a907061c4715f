"""Extended reals: exact fractions, signed zeros, infinities, NaN, and real numbers known by enclosures.

Arithmetic follows IEEE 754 on the special values and is exact on everything else. A number that is no
fraction is a function from a precision to two bounds; whoever needs a decision (a sign, an order, a rounding)
raises the precision until the bounds agree. mpmath computes the bounds: each of its results is widened by
2^(SLACK - precision), relatively, far beyond its own error of about an ulp.
"""
from fractions import Fraction

import mpmath
from mpmath import mp, mpf

SLACK = 6
PRECISIONS = (80, 160, 400, 1000, 2500, 5000)


class Undecided(Exception):
    """No precision that we try settles a decision; the case is drawn again."""


class Real:
    """One of: NaN, an infinity, a fraction (zero with a sign), an enclosure of a finite real."""
    __slots__ = ("kind", "q", "minus", "bounds", "seen")

    def __init__(self, kind, q=None, minus=False, bounds=None):
        self.kind, self.q, self.minus, self.bounds, self.seen = kind, q, minus, bounds, {}

    def exact(self):
        return self.kind == "exact"

    def is_nan(self):
        return self.kind == "nan"

    def is_inf(self):
        return self.kind == "inf"

    def finite(self):
        return self.kind in ("exact", "open")

    def is_zero(self):
        return self.kind == "exact" and self.q == 0

    def enclose(self, precision):
        if precision not in self.seen:
            with mp.workprec(precision):
                self.seen[precision] = fraction_bounds(self.q) if self.kind == "exact" else self.bounds(precision)
        return self.seen[precision]

    def negative(self):
        """The sign bit, of anything but NaN."""
        if self.kind == "exact":
            return self.q < 0 or (self.q == 0 and self.minus)
        if self.kind == "inf":
            return self.minus
        for precision in PRECISIONS:
            low, high = self.enclose(precision)
            if low > 0 or high < 0:
                return high < 0
        raise Undecided("sign")

    def __neg__(self):
        if self.kind == "open":
            return enclosed(lambda x: (-x[1], -x[0]), self)
        return Real(self.kind, None if self.q is None else -self.q, not self.minus)

    def __abs__(self):
        return self if self.is_nan() or not self.negative() else -self

    def __add__(self, other):
        return total((self, real(other)))

    def __sub__(self, other):
        return total((self, -real(other)))

    def __radd__(self, other):
        return total((real(other), self))

    def __rsub__(self, other):
        return total((real(other), -self))

    def __mul__(self, other):
        return times(self, real(other))

    __rmul__ = __mul__

    def __truediv__(self, other):
        return over(self, real(other))

    def __rtruediv__(self, other):
        return over(real(other), self)

    def __lt__(self, other):
        other = real(other)
        if self.is_nan() or other.is_nan():
            return False
        if self.is_inf() or other.is_inf():
            return rank(self) < rank(other)
        if self.exact() and other.exact():
            return self.q < other.q
        if self is other:
            return False
        return (self - other).negative()

    def __gt__(self, other):
        return real(other) < self

    def __le__(self, other):
        other = real(other)
        return not (self.is_nan() or other.is_nan()) and not other < self

    def __ge__(self, other):
        return real(other) <= self


def rank(x):
    return 0 if not x.is_inf() else -1 if x.minus else 1


def real(value):
    return value if isinstance(value, Real) else Real("exact", Fraction(value))


NAN = Real("nan")
INF = Real("inf")
MINUS_INF = Real("inf", minus=True)
ZERO = real(0)
MINUS_ZERO = Real("exact", Fraction(0), True)
ONE = real(1)


def widened(low, high):
    """Bounds of a result of mpmath at the present precision."""
    slack = mpmath.ldexp(1, SLACK - mp.prec)
    return low - abs(low) * slack, high + abs(high) * slack


def fraction_bounds(q):
    top, bottom = q.numerator, q.denominator
    if bottom & (bottom - 1) == 0 and top.bit_length() <= mp.prec:
        x = mpmath.ldexp(mpf(top), 1 - bottom.bit_length())
        return x, x
    x = mpf(top) / mpf(bottom)
    return widened(x, x)


def enclosed(bounds, *operands):
    """The real whose bounds are a function of the operands' bounds."""
    return Real("open", bounds=lambda precision: bounds(*[x.enclose(precision) for x in operands]))


def total(terms):
    """The sum. A sum that is zero is +0, unless each of its terms is -0."""
    terms = [real(t) for t in terms]
    if any(t.is_nan() for t in terms):
        return NAN
    infinite = {t.minus for t in terms if t.is_inf()}
    if infinite:
        return NAN if len(infinite) == 2 else (MINUS_INF if infinite.pop() else INF)
    known = sum((t.q for t in terms if t.exact()), Fraction(0))
    rest = [t for t in terms if not t.exact()]
    if not rest:
        return Real("exact", known, known == 0 and bool(terms) and all(t.q == 0 and t.minus for t in terms))
    if known:
        rest.append(real(known))
    if len(rest) == 1:
        return rest[0]

    def bounds(*enclosures):
        low = high = mpf(0)
        weight = mpf(0)
        for a, b in enclosures:
            low, high, weight = low + a, high + b, weight + max(abs(a), abs(b))
        # Each of the additions is off by half an ulp of a partial sum, which is at most the weight.
        slack = weight * len(enclosures) * mpmath.ldexp(1, SLACK - mp.prec)
        return low - slack, high + slack
    return enclosed(bounds, *rest)


def times(a, b):
    if a.is_nan() or b.is_nan():
        return NAN
    if a.is_inf() or b.is_inf():
        if a.is_zero() or b.is_zero():
            return NAN
        return MINUS_INF if a.negative() != b.negative() else INF
    if a.is_zero() or b.is_zero():
        return MINUS_ZERO if a.negative() != b.negative() else ZERO
    if a.exact() and b.exact():
        return Real("exact", a.q * b.q)

    def bounds(x, y):
        corners = [p * r for p in x for r in y]
        return widened(min(corners), max(corners))
    return enclosed(bounds, a, b)


def over(a, b):
    if a.is_nan() or b.is_nan() or (a.is_inf() and b.is_inf()) or (a.is_zero() and b.is_zero()):
        return NAN
    minus = a.negative() != b.negative()
    if a.is_inf() or b.is_zero():
        return MINUS_INF if minus else INF
    if b.is_inf() or a.is_zero():
        return MINUS_ZERO if minus else ZERO
    if a.exact() and b.exact():
        return Real("exact", a.q / b.q)

    def bounds(x, y):
        if y[0] <= 0 <= y[1]:
            return mpf("-inf"), mpf("inf")
        corners = [p / r for p in x for r in y]
        return widened(min(corners), max(corners))
    return enclosed(bounds, a, b)


def product(factors):
    """The product, 1 when there are none; 0 times infinity is NaN in any order."""
    factors = [real(f) for f in factors]
    if any(f.is_inf() for f in factors) and any(f.is_zero() for f in factors):
        return NAN
    result = ONE
    for f in factors:
        result = times(result, f)
    return result


def dot(xs, ys):
    return total([x * y for x, y in zip(xs, ys)])


def maximum(xs):
    """NaN if there is one; of zeros the positive one."""
    best = None
    for x in xs:
        if x.is_nan():
            return NAN
        if best is None or best < x or (best.is_zero() and x.is_zero() and best.minus):
            best = x
    return best


def minimum(xs):
    return -maximum([-x for x in xs])


def decide(x, step):
    """step(Fraction) of a finite real: exactly, or as soon as both bounds agree."""
    if x.exact():
        return step(x.q)
    for precision in PRECISIONS:
        low, high = x.enclose(precision)
        if mpmath.isfinite(low) and mpmath.isfinite(high) and step(as_fraction(low)) == step(as_fraction(high)):
            return step(as_fraction(low))
    raise Undecided("step")


LARGEST = 20000  # binary exponents beyond it are beyond every format: any such number stands for the others


def as_fraction(x):
    """An mpf as a fraction, its exponent brought within LARGEST."""
    sign, mantissa, exponent, bits = x._mpf_
    mantissa = -int(mantissa) if sign else int(mantissa)
    if not mantissa:
        return Fraction(0)
    if exponent + bits > LARGEST or exponent + bits < -LARGEST:
        shift = LARGEST if exponent > 0 else -LARGEST
        return Fraction(2) ** shift * (-1 if sign else 1)
    return Fraction(mantissa) * Fraction(2) ** exponent
