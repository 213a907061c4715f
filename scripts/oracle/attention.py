"""Attention and RotaryEmbedding."""

import numpy as np

from oracle import functions as fn
from oracle.draw import int_tensor
from oracle.formats import BF16, BOOL, F16, F32, F64, Tensor, array, rounded
from oracle.real import MINUS_INF, ZERO, dot, total
from oracle.suite import Case, draw_version, float_types, operator, since

PRECISIONS = {1: F32, 10: F16, 11: F64, 16: BF16}


def heads(values, count):
    """(B, S, H D) becomes (B, H, S, D)."""
    b, s, width = values.shape
    return values.reshape(b, s, count, width // count).transpose(0, 2, 1, 3)


def draw_mask(draw, fmt, shape):
    """A mask of rank 2 to 4 that broadcasts to the scores, Bool or added."""
    shape = tuple(1 if draw.chance(0.3) and a != len(shape) - 1 else d for a, d in enumerate(shape))
    shape = shape[draw.randint(0, 2):]
    if draw.chance(0.5):
        return draw.integers(shape, 0, 1, BOOL)
    mask = draw.tensor(fmt, shape, draw.choice(("plain", "grid")))
    return Tensor(fmt, shape, [fmt.infinity | fmt.sign if draw.chance(0.2) else b for b in mask.bits])


class Scores:
    """The steps of the text from Q and K to the probabilities, each stage kept for the fourth output."""

    def __init__(self, q, k, scale, cap):
        group = q.shape[1] // k.shape[1]
        self.products = np.empty((*q.shape[:3], k.shape[2]), dtype=object)
        self.scaled = np.empty(self.products.shape, dtype=object)
        for b, h, i, j in np.ndindex(self.scaled.shape):
            self.products[b, h, i, j] = dot(q[b, h, i], k[b, h // group, j])
            self.scaled[b, h, i, j] = self.products[b, h, i, j] * scale
        self.capped = self.scaled
        if cap is not None:
            self.capped = np.empty(self.scaled.shape, dtype=object)
            for index in np.ndindex(self.scaled.shape):
                self.capped[index] = cap * fn.tanh(self.scaled[index] / cap)

    def probabilities(self, bias, biased, read, stash, fmt):
        self.masked = np.empty(self.capped.shape, dtype=object)
        for index in np.ndindex(self.capped.shape):
            score = self.capped[index] if index[3] < read[index[0]] else ZERO
            self.masked[index] = score + bias[index] if biased else score
        self.weights = np.empty(self.capped.shape, dtype=object)
        self.dead = np.zeros(self.capped.shape[:3], dtype=bool)
        for index in np.ndindex(self.capped.shape[:3]):
            self.dead[index] = all(v.is_inf() and v.minus for v in bias[index])
            if self.dead[index]:
                self.weights[index] = array([ZERO] * self.capped.shape[3])
            elif stash is None:
                self.weights[index] = array(fn.softmax(list(self.masked[index])))
            else:
                logits = [stash.round(v) for v in self.masked[index]]
                self.weights[index] = array([fmt.round(stash.round(v)) for v in fn.softmax(logits)])

    def mean(self, index, bias, column):
        """Of a row's weights. Keys of one product and one bias have one weight: their values are added up first, exactly."""
        alike = {}
        for j, value in enumerate(column):
            weight, product, added = self.weights[index][j], self.products[index][j], bias[index][j]
            same = product.exact() and added.exact() and not (weight.exact() or weight.is_nan())
            alike.setdefault((product.q, added.q) if same else j, (weight, []))[1].append(value)
        return dot([weight for weight, _ in alike.values()], [total(values) for _, values in alike.values()])


@operator("Attention")
def attention(draw):
    version = draw.choice(since("Attention"))
    fmt = draw.choice(float_types("Attention", version, "T1"))
    v_fmt = draw.choice(float_types("Attention", version, "T2")) if draw.chance(0.2) else fmt
    batch, kv_heads, queries, keys, width, v_width = (draw.randint(1, n) for n in (2, 2, 3, 3, 5, 3))
    q_heads = kv_heads * draw.randint(1, 2)
    flat, past = draw.chance(0.4), draw.choice((0, 0, 0, 2))

    def tensor(kind, rows, count, depth):
        shape = (batch, rows, count * depth) if flat else (batch, count, rows, depth)
        return draw.tensor(kind, shape, draw.choice(("plain", "grid", "unit", "cancel", "wide", "mixed")))
    q, k = tensor(fmt, queries, q_heads, width), tensor(fmt, keys, kv_heads, width)
    v = tensor(v_fmt, keys, kv_heads, v_width)
    attributes = {"q_num_heads": q_heads, "kv_num_heads": kv_heads} if flat else {}
    past_k = draw.tensor(fmt, (batch, kv_heads, past, width), "plain") if past else None
    past_v = draw.tensor(v_fmt, (batch, kv_heads, past, v_width), "plain") if past else None
    values_q, values_k, values_v = q.reals(), k.reals(), v.reals()
    if flat:
        values_q, values_k, values_v = heads(values_q, q_heads), heads(values_k, kv_heads), heads(values_v, kv_heads)
    if past:
        values_k = np.concatenate([past_k.reals(), values_k], axis=2)
        values_v = np.concatenate([past_v.reals(), values_v], axis=2)
    whole = past + keys
    scale = 1 / fn.sqrt(width)
    if draw.chance(0.4):
        scale, attributes["scale"] = draw.attribute("unit")
    cap = None
    if draw.chance(0.3):
        cap, attributes["softcap"] = draw.attribute("positive")
    filled = None
    if version >= 24 and not past and draw.chance(0.25):
        filled = [draw.randint(0, whole) for _ in range(batch)]
    mask = draw_mask(draw, fmt, (batch, q_heads, queries, whole)) if draw.chance(0.5) else None
    causal = attributes["is_causal"] = draw.choice((0, 0, 1))
    left = right = -1
    if version >= 25 and draw.chance(0.4):
        left, right = draw.randint(-1, 2), draw.randint(-1, 2)
        attributes["left_window_size"], attributes["right_window_size"] = left, right
    bias = np.empty((batch, q_heads, queries, whole), dtype=object)
    added = np.broadcast_to(mask.reals(), bias.shape) if mask else None
    hides = bool(causal or filled or left >= 0 or right >= 0)
    for b, h, i, j in np.ndindex(bias.shape):
        p = i + (filled[b] - queries if filled else past)
        value = ZERO
        if mask:
            value = added[b, h, i, j] if mask.fmt is not BOOL else ZERO if added[b, h, i, j].q else MINUS_INF
        hidden = ((causal and j > p) or (left >= 0 and j < p - left) or (right >= 0 and j > p + right)
                  or (filled and j >= filled[b]))
        # "Composed with it additively, by summing their attention biases": what hides some keys has a bias of 0 for the others.
        bias[b, h, i, j] = MINUS_INF if hidden else ZERO + value if hides else value
    stash = None
    if draw.chance(0.3):
        attributes["softmax_precision"] = code = draw.choice(list(PRECISIONS))
        stash = PRECISIONS[code]
    scores = Scores(values_q, values_k, scale, cap)
    # Padding is not read: whatever stands there shows in no score behind the bias, and in no sum.
    read = filled or [whole] * batch
    scores.probabilities(bias, bool(mask or hides), read, stash, fmt)
    y = np.empty((batch, q_heads, queries, v_width), dtype=object)
    group = q_heads // kv_heads
    for b, h, i, d in np.ndindex(y.shape):
        column = values_v[b, h // group, :read[b], d]
        y[b, h, i, d] = ZERO if scores.dead[b, h, i] else scores.mean((b, h, i), bias, column)
    if flat:
        y = y.transpose(0, 2, 1, 3).reshape(batch, queries, q_heads * v_width)
    mode = draw.randint(0, 3)
    stages = [scores.scaled, scores.capped, scores.masked, scores.weights]
    outputs = [rounded(fmt, y), rounded(fmt, values_k), rounded(v_fmt, values_v)]
    if draw.chance(0.5):
        attributes["qk_matmul_output_mode"] = mode
        outputs.append(rounded(fmt, stages[mode]))
    elif not past:
        outputs = outputs[:1]
    inputs = [q, k, v, mask, past_k, past_v, int_tensor(filled) if filled else None]
    while inputs[-1] is None:
        inputs.pop()
    return Case(version, inputs, outputs, attributes)


@operator("RotaryEmbedding")
def rotary(draw):
    version, fmt = draw_version(draw, "RotaryEmbedding")
    batch, count, steps, half = draw.randint(1, 2), draw.randint(1, 3), draw.randint(1, 3), draw.randint(1, 3)
    rotated = 2 * half
    tail = draw.choice((0, 0, 1, 2)) * 2
    width = rotated + tail
    flat, interleaved = draw.chance(0.5), draw.randint(0, 1)
    x = draw.tensor(fmt, (batch, steps, count * width) if flat else (batch, count, steps, width))
    attributes = {"interleaved": interleaved}
    if flat:
        attributes["num_heads"] = count
    if tail:
        attributes["rotary_embedding_dim"] = rotated
    positions = None
    if draw.chance(0.5):
        longest = draw.randint(steps, 6)
        positions = draw.integers((batch, steps), 0, longest - 1)
        caches = [draw.tensor(fmt, (longest, half)) for _ in range(2)]
        cosine, sine = (c.reals()[positions.integers()] for c in caches)
    else:
        caches = [draw.tensor(fmt, (batch, steps, half)) for _ in range(2)]
        cosine, sine = (c.reals() for c in caches)
    values = heads(x.reals(), count) if flat else x.reals()
    y = values.copy()
    for b, h, s, k in np.ndindex(batch, count, steps, half):
        one, two = (2 * k, 2 * k + 1) if interleaved else (k, half + k)
        a, c = values[b, h, s, one], values[b, h, s, two]
        y[b, h, s, one] = cosine[b, s, k] * a - sine[b, s, k] * c
        y[b, h, s, two] = sine[b, s, k] * a + cosine[b, s, k] * c
    if flat:
        y = y.transpose(0, 2, 1, 3).reshape(x.shape)
    return Case(version, [x, *caches] + ([positions] if positions else []), [rounded(fmt, y)], attributes)
