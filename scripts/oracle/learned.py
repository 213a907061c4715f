"""ai.onnx.ml: scalers, linear models, support vectors."""
import mpmath
import numpy as np

from oracle import functions as fn
from oracle.draw import int_tensor
from oracle.formats import F32, F64, I32, I64, array, rounded
from oracle.real import INF, MINUS_INF, NAN, ONE, ZERO, Undecided, dot, enclosed, maximum, real, total, widened
from oracle.suite import Case, operator

DOMAIN = "ai.onnx.ml"
POST = ("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT")
TINY = F32.round(real(1) / 10000000)


def probit(v):
    """The quantile of the normal distribution: sqrt(2) erfinv(2 v - 1)."""
    if not v.finite() or v < 0 or v > 1:
        return NAN
    if v.is_zero() or (v.exact() and v.q == 1):
        return MINUS_INF if v.is_zero() else INF
    centred = 2 * v - 1
    if centred.is_zero():
        return ZERO

    def bounds(x):
        x = max(x[0], mpmath.mpf(-1)), min(x[1], mpmath.mpf(1))
        low, high = widened(mpmath.erfinv(x[0]), mpmath.erfinv(x[1]))
        if not (mpmath.erf(low) <= x[0] and x[1] <= mpmath.erf(high)):
            raise Undecided("erfinv")
        return low, high
    return fn.sqrt(2) * enclosed(bounds, centred)


def post_transform(kind, scores):
    if kind == "LOGISTIC":
        return [fn.sigmoid(v) for v in scores]
    if kind == "PROBIT":
        return [probit(v) for v in scores]
    if kind == "SOFTMAX":
        return fn.softmax(scores)
    if kind == "SOFTMAX_ZERO":
        parts = [fn.exp(v) if abs(v) > TINY else v for v in scores]
        below = total(parts)
        return [p / below for p in parts]
    return scores


def best(scores):
    """The index of the greatest score, the lowest of equals."""
    top = 0
    for i, v in enumerate(scores):
        top = i if scores[top] < v else top
    return top


def draw_rows(draw, features, kind=None, shape=None):
    """X of one of the four types."""
    fmt = draw.choice((F32, F32, F64, I64, I32))
    shape = shape or (draw.randint(1, 4), features)
    if fmt in (I64, I32):
        return draw.integers(shape, -20, 20, fmt)
    return draw.tensor(fmt, shape, kind or draw.choice(("plain", "grid", "unit", "wide", "mixed")))


def draw_floats(draw, count, kind="plain"):
    """A list attribute as reals and as stored."""
    pairs = [draw.attribute(kind) for _ in range(count)]
    return [p[0] for p in pairs], [p[1] for p in pairs]


@operator("Scaler", domain=DOMAIN)
def scaler(draw):
    features = draw.randint(1, 4)
    x = draw_rows(draw, features, draw.choice(("plain", "wide", "mixed")))
    length = draw.choice((1, features))
    offset, stored_offset = draw_floats(draw, length)
    scale, stored_scale = draw_floats(draw, length)
    y = x.reals()
    for index in np.ndindex(x.shape):
        k = index[1] % length
        y[index] = (y[index] - offset[k]) * scale[k]
    return Case(1, [x], [rounded(F32, y)], {"offset": stored_offset, "scale": stored_scale})


@operator("Normalizer", domain=DOMAIN)
def normalizer(draw):
    x = draw_rows(draw, draw.randint(1, 5), draw.choice(("plain", "grid", "wide")))
    kind = draw.choice((None, "MAX", "L1", "L2"))
    measure = {"MAX": maximum, "L1": lambda v: total([abs(a) for a in v]),
               "L2": lambda v: fn.sqrt(total([a * a for a in v]))}[kind or "MAX"]
    y = x.reals()
    for row in range(x.shape[0]):
        divisor = measure(list(y[row]))
        if not divisor.is_zero():
            y[row] = array([v / divisor for v in y[row]])
    return Case(1, [x], [rounded(F32, y)], {"norm": kind})


def linear(rows, weights, intercepts):
    count = rows.shape[1]
    return [[total([dot(row, weights[k * count:(k + 1) * count]), b]) for k, b in enumerate(intercepts)] for row in rows]


@operator("LinearRegressor", domain=DOMAIN)
def linear_regressor(draw):
    features, targets = draw.randint(1, 4), draw.randint(1, 3)
    x = draw_rows(draw, features)
    weights, stored = draw_floats(draw, features * targets)
    attributes = {"coefficients": stored, "targets": targets, "post_transform": draw.choice(POST)}
    intercepts = [ZERO] * targets
    if draw.chance(0.6):
        intercepts, attributes["intercepts"] = draw_floats(draw, targets)
    y = [post_transform(attributes["post_transform"], s) for s in linear(x.reals(), weights, intercepts)]
    return Case(1, [x], [rounded(F32, array(y, (x.shape[0], targets)))], attributes)


@operator("LinearClassifier", domain=DOMAIN)
def linear_classifier(draw):
    features, classes = draw.randint(1, 4), draw.randint(2, 4)
    rows = 1 if classes == 2 and draw.chance(0.5) else classes
    x = draw_rows(draw, features)
    weights, stored = draw_floats(draw, features * rows)
    labels = draw.sample(range(-50, 50), classes)
    attributes = {"coefficients": stored, "classlabels_ints": labels, "post_transform": draw.choice(POST),
                  "multi_class": draw.randint(0, 1)}
    intercepts, attributes["intercepts"] = draw_floats(draw, rows)
    scores = linear(x.reals(), weights, intercepts)
    scores = [[-s[0], s[0]] if rows == 1 else s for s in scores]
    z = [post_transform(attributes["post_transform"], s) for s in scores]
    return Case(1, [x], [int_tensor([labels[best(s)] for s in scores]), rounded(F32, array(z))], attributes)


KERNELS = {
    "LINEAR": lambda x, v, p: dot(x, v),
    "POLY": lambda x, v, p: fn.power(p[0] * dot(x, v) + p[1], p[2]),
    "RBF": lambda x, v, p: fn.exp(-(p[0] * total([(a - b) * (a - b) for a, b in zip(x, v)]))),
    "SIGMOID": lambda x, v, p: fn.tanh(p[0] * dot(x, v) + p[1]),
}


def draw_kernel(draw):
    kind = draw.choice(list(KERNELS))
    parameters, stored = draw_floats(draw, 2, "unit")
    degree = draw.choice((1, 2, 3))
    attributes = {"kernel_type": kind, "kernel_params": [*stored, float(degree)]}
    return (lambda x, v: KERNELS[kind](x, v, [*parameters, real(degree)])), attributes


@operator("SVMRegressor", domain=DOMAIN)
def svm_regressor(draw):
    features, supports = draw.randint(1, 3), draw.randint(1, 4)
    x = draw_rows(draw, features)
    kernel, attributes = draw_kernel(draw)
    vectors, attributes["support_vectors"] = draw_floats(draw, supports * features)
    weights, attributes["coefficients"] = draw_floats(draw, supports)
    rho, attributes["rho"] = draw_floats(draw, 1)
    attributes.update({"n_supports": supports, "one_class": draw.choice((0, 0, 1))})
    attributes["post_transform"] = draw.choice(POST[:4])
    y = []
    for row in x.reals():
        s = total([weights[j] * kernel(row, vectors[j * features:(j + 1) * features]) for j in range(supports)] + rho)
        if attributes["one_class"]:
            s = ONE if s > 0 else -ONE
        y.append(post_transform(attributes["post_transform"], [s]))
    return Case(1, [x], [rounded(F32, array(y))], attributes)


@operator("SVMClassifier", domain=DOMAIN)
def svm_classifier(draw):
    features, classes = draw.randint(1, 3), draw.randint(2, 3)
    x = draw_rows(draw, features)
    kernel, attributes = draw_kernel(draw)
    counts = [draw.randint(1, 2) for _ in range(classes)]
    supports = sum(counts)
    vectors, attributes["support_vectors"] = draw_floats(draw, supports * features)
    weights, attributes["coefficients"] = draw_floats(draw, supports * (classes - 1))
    rho, attributes["rho"] = draw_floats(draw, classes * (classes - 1) // 2)
    labels = draw.sample(range(-50, 50), classes)
    attributes.update({"vectors_per_class": counts, "classlabels_ints": labels,
                       "post_transform": draw.choice(POST[:4]) if classes == 2 else "NONE"})
    starts = [sum(counts[:c]) for c in range(classes + 1)]
    ys, zs = [], []
    for row in x.reals():
        values = [kernel(row, vectors[j * features:(j + 1) * features]) for j in range(supports)]
        votes, scores = [0] * classes, []
        for i in range(classes):
            for j in range(i + 1, classes):
                terms = [weights[(j - 1) * supports + v] * values[v] for v in range(starts[i], starts[i + 1])]
                terms += [weights[i * supports + v] * values[v] for v in range(starts[j], starts[j + 1])]
                scores.append(total([*terms, rho[len(scores)]]))
                votes[i if scores[-1] > 0 else j] += 1
        ys.append(labels[votes.index(max(votes))])
        pair = [-scores[0], scores[0]]
        zs.append(post_transform(attributes["post_transform"], pair) if classes == 2 else scores)
    return Case(1, [x], [int_tensor(ys), rounded(F32, array(zs))], attributes)
