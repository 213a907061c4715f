"""Number formats and tensors of bits: decoding to reals, and the one rounding back."""
from fractions import Fraction

import mpmath
import numpy as np
from onnx import TensorProto

from oracle.real import INF, MINUS_INF, NAN, PRECISIONS, Real, Undecided, as_fraction, real


class Format:
    """Binary floating point: sign, exponent and fraction bits. `finite` formats have no infinity."""

    def __init__(self, name, code, exponent_bits, fraction_bits, bias=None, largest=None, fnuz=False, nan=None):
        self.name, self.code = name, code
        self.exponent_bits, self.fraction_bits = exponent_bits, fraction_bits
        self.bits = 1 + exponent_bits + fraction_bits
        self.bias = 2 ** (exponent_bits - 1) - 1 if bias is None else bias
        self.sign = 1 << (self.bits - 1)
        self.fnuz = fnuz
        self.has_inf = nan is None
        self.infinity = (2 ** exponent_bits - 1) << fraction_bits
        self.nan = nan if nan is not None else self.infinity | (1 << (fraction_bits - 1))
        self.lowest_exponent = 1 - self.bias
        self.largest_code = self.infinity - 1 if largest is None else largest
        self.largest = self.magnitude(self.largest_code)
        self.tiniest = Fraction(2) ** (self.lowest_exponent - fraction_bits)

    def magnitude(self, code):
        exponent, fraction = code >> self.fraction_bits, code & ((1 << self.fraction_bits) - 1)
        if exponent:
            fraction += 1 << self.fraction_bits
        return fraction * Fraction(2) ** (max(exponent, 1) - self.bias - self.fraction_bits)

    def decode(self, bits):
        code, minus = bits & (self.sign - 1), bool(bits & self.sign)
        if self.fnuz and bits == self.sign:
            return NAN
        if code > self.largest_code:
            return NAN if not self.has_inf or code != self.infinity else MINUS_INF if minus else INF
        q = self.magnitude(code)
        return Real("exact", -q if minus else q, minus and q == 0)

    def overflow(self, minus, saturate):
        if saturate:
            return self.largest_code | (self.sign if minus else 0)
        if self.has_inf:
            return self.infinity | (self.sign if minus else 0)
        return self.nan if self.fnuz else self.nan | (self.sign if minus else 0)

    def nearest(self, q, minus, saturate=False):
        """The bits of a fraction, to nearest and ties to even; minus is the sign of a zero."""
        size = abs(q)
        minus = q < 0 if q else minus
        mark = self.sign if minus else 0
        if not size:
            return 0 if self.fnuz else mark
        exponent = size.numerator.bit_length() - size.denominator.bit_length()
        exponent -= size < Fraction(2) ** exponent
        exponent = max(exponent, self.lowest_exponent)
        steps = size / Fraction(2) ** (exponent - self.fraction_bits)
        whole = round(steps)  # Python rounds fractions to nearest, ties to even.
        if whole * Fraction(2) ** (exponent - self.fraction_bits) > self.largest:
            return self.overflow(minus, saturate)
        code = whole + ((exponent - self.lowest_exponent) << self.fraction_bits)
        return 0 if self.fnuz and not code else code | mark

    def encode(self, x, saturate=False):
        if x.is_nan():
            return self.nan
        if x.is_inf():
            return self.overflow(x.minus, saturate)
        if x.exact():
            return self.nearest(x.q, x.minus, saturate)
        for precision in PRECISIONS:
            low, high = x.enclose(precision)
            if not (mpmath.isfinite(low) and mpmath.isfinite(high)) or low < 0 < high or (not low and not high):
                continue
            ends = {self.nearest(as_fraction(e), high <= 0, saturate) for e in (low, high)}
            if len(ends) == 1:
                return ends.pop()
        raise Undecided("rounding")

    def round(self, x):
        """The real that x becomes in this format."""
        return self.decode(self.encode(x))


class IntegerFormat:
    def __init__(self, name, code, bits, signed):
        self.name, self.code, self.bits = name, code, bits
        self.low = -(1 << (bits - 1)) if signed else 0
        self.high = (1 << (bits - 1)) - 1 if signed else (1 << bits) - 1

    def decode(self, bits):
        return real(bits - (1 << self.bits) if bits > self.high else bits)

    def encode(self, x):
        value = x if isinstance(x, (int, np.integer)) else x.q.numerator
        assert isinstance(x, (int, np.integer)) or x.q.denominator == 1
        return int(value) & ((1 << self.bits) - 1)


F32 = Format("float32", TensorProto.FLOAT, 8, 23)
F64 = Format("float64", TensorProto.DOUBLE, 11, 52)
F16 = Format("float16", TensorProto.FLOAT16, 5, 10)
BF16 = Format("bfloat16", TensorProto.BFLOAT16, 8, 7)
E4M3 = Format("float8e4m3fn", TensorProto.FLOAT8E4M3FN, 4, 3, largest=0x7E, nan=0x7F)
E5M2 = Format("float8e5m2", TensorProto.FLOAT8E5M2, 5, 2)
E4M3Z = Format("float8e4m3fnuz", TensorProto.FLOAT8E4M3FNUZ, 4, 3, bias=8, largest=0x7F, fnuz=True, nan=0x80)
E5M2Z = Format("float8e5m2fnuz", TensorProto.FLOAT8E5M2FNUZ, 5, 2, bias=16, largest=0x7F, fnuz=True, nan=0x80)
I64 = IntegerFormat("int64", TensorProto.INT64, 64, True)
I32 = IntegerFormat("int32", TensorProto.INT32, 32, True)
U8 = IntegerFormat("uint8", TensorProto.UINT8, 8, False)
U16 = IntegerFormat("uint16", TensorProto.UINT16, 16, False)
I16 = IntegerFormat("int16", TensorProto.INT16, 16, True)
I8 = IntegerFormat("int8", TensorProto.INT8, 8, True)
BOOL = IntegerFormat("bool", TensorProto.BOOL, 8, False)
FLOATS = {"tensor(float)": F32, "tensor(double)": F64, "tensor(float16)": F16, "tensor(bfloat16)": BF16}


class Tensor:
    """Bits of a format in row-major order."""

    def __init__(self, fmt, shape, bits):
        self.fmt, self.shape, self.bits = fmt, tuple(int(d) for d in shape), list(bits)

    def reals(self):
        out = np.empty(len(self.bits), dtype=object)
        for i, bits in enumerate(self.bits):
            out[i] = self.fmt.decode(bits)
        return out.reshape(self.shape)

    def integers(self):
        return np.array([int(self.fmt.decode(b).q) for b in self.bits], dtype=np.int64).reshape(self.shape)

    def proto(self, name):
        width = (self.fmt.bits + 7) // 8
        raw = b"".join(int(b).to_bytes(width, "little") for b in self.bits)
        return TensorProto(name=name, data_type=self.fmt.code, dims=self.shape, raw_data=raw)


def array(values, shape=None):
    """An object array of reals, of rank 0 too."""
    values = np.asarray(values, dtype=object)
    return values if shape is None else values.reshape(shape)


def rounded(fmt, values, saturate=False):
    """The one rounding: a tensor of the format from an array of reals."""
    values = array(values)
    encode = (lambda x: fmt.encode(real(x), saturate)) if saturate else (lambda x: fmt.encode(real(x)))
    if isinstance(fmt, IntegerFormat):
        encode = fmt.encode
    return Tensor(fmt, values.shape, [encode(x) for x in values.reshape(-1)])


def float32(value):
    """The float32 nearest to a fraction: what a float attribute holds."""
    return F32.round(real(value))
