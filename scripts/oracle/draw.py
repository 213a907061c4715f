"""Seeded draws: shapes, formats, and values of every kind that rounding can trip over."""
import random
from fractions import Fraction

from oracle.formats import F32, I64, IntegerFormat, Tensor
from oracle.real import real


class Draw(random.Random):
    """random.Random with the draws of tests. A case seeds its own, so that it never depends on the others."""

    def chance(self, p):
        return self.random() < p

    def shape(self, rank=None, low=1, high=4):
        rank = self.randint(0, 4) if rank is None else rank
        return tuple(self.randint(low, high) for _ in range(rank))

    def fraction(self, fmt, kind):
        """A finite fraction of a kind, not yet rounded."""
        if kind == "plain":
            return Fraction(self.gauss(0, 1) * 2.0 ** self.randint(-2, 2))
        if kind == "grid":
            return Fraction(self.randint(-9, 9), self.choice((1, 1, 2, 4)))
        if kind == "unit":
            return Fraction(self.random())
        if kind == "positive":
            return Fraction(self.random() * 3 + 0.01)
        if kind == "wide":
            top = 2 ** (fmt.exponent_bits - 1) - 1
            exponent = self.randint(-top - fmt.fraction_bits, top)
            return Fraction(self.uniform(1, 2)) * Fraction(2) ** exponent * self.choice((1, -1))
        assert kind == "cancel"
        return self.choice((1, -1)) * Fraction(2) ** self.choice((0, 0, 8, 9, 14)) + self.choice((0, 0, Fraction(1, 8)))

    def special(self, fmt, infinite):
        """Bits where something happens: zeros, the ends of the format, infinities, NaN."""
        one = fmt.bias << fmt.fraction_bits
        codes = [0, 0, 1, (1 << fmt.fraction_bits) - 1, 1 << fmt.fraction_bits, fmt.largest_code, one, one + 1, one - 1]
        if infinite:
            codes += [fmt.infinity, fmt.infinity, fmt.nan]
        return self.choice(codes) | self.choice((0, fmt.sign))

    def bits(self, fmt, kind, infinite):
        if kind == "special":
            return self.special(fmt, infinite)
        if kind == "mixed":
            kind = self.choice(("plain", "plain", "grid", "wide", "special"))
            return self.bits(fmt, kind, infinite)
        return fmt.nearest(self.fraction(fmt, kind), False)

    def tensor(self, fmt, shape, kind=None, infinite=True):
        """kind None draws one; infinite allows infinities and NaN among the special values."""
        kind = kind or self.choice(("plain", "plain", "grid", "cancel", "wide", "mixed", "mixed"))
        count = 1
        for d in shape:
            count *= d
        return Tensor(fmt, shape, [self.bits(fmt, kind, infinite) for _ in range(count)])

    def attribute(self, kind="plain"):
        """A float attribute: its float32 value as a real, and as the float that the model stores."""
        x = F32.decode(self.bits(F32, kind, False))
        return x, float(x.q)

    def integers(self, shape, low, high, fmt=I64):
        count = 1
        for d in shape:
            count *= d
        return Tensor(fmt, shape, [fmt.encode(self.randint(low, high)) for _ in range(count)])


def int_tensor(values, fmt=I64, shape=None):
    values = list(values)
    return Tensor(fmt, (len(values),) if shape is None else shape, [fmt.encode(int(v)) for v in values])


def fixed(fmt, values, shape=None):
    """A tensor of given numbers, each of which the format holds."""
    values = [real(v) for v in values]
    assert isinstance(fmt, IntegerFormat) or all(fmt.decode(fmt.encode(v)).q == v.q for v in values)
    return Tensor(fmt, (len(values),) if shape is None else shape, [fmt.encode(v) for v in values])


def broadcastable(draw, count):
    """Shapes that broadcast together: dimensions of one shape, some of them 1, leading ones dropped."""
    full = draw.shape()
    shapes = []
    for _ in range(count):
        shape = tuple(1 if draw.chance(0.25) else d for d in full)
        shapes.append(shape[draw.choice((0, 0, 0, len(shape) // 2)):])
    return shapes
