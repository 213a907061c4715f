"""ai.onnx.ml: scalers, linear models, support vectors, trees."""
import mpmath
import numpy as np
from onnx import helper

from oracle import functions as fn
from oracle.draw import int_tensor
from oracle.formats import F16, F32, F64, I32, I64, Tensor, array, rounded
from oracle.real import INF, MINUS_INF, NAN, ONE, ZERO, Undecided, dot, enclosed, maximum, minimum, real, total, widened
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
    return draw.tensor(fmt, shape, kind or draw.choice(("plain", "grid", "unit")))


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


MODES = {"BRANCH_LEQ": lambda x, t: x <= t, "BRANCH_LT": lambda x, t: x < t, "BRANCH_GTE": lambda x, t: x >= t,
         "BRANCH_GT": lambda x, t: x > t, "BRANCH_EQ": lambda x, t: x <= t and x >= t,
         "BRANCH_NEQ": lambda x, t: x < t or x > t}


def grow(draw, features, depth):
    """A tree: (mode, feature, threshold, stored, tracks, true, false), or None for a leaf."""
    if depth == 0 or draw.chance(0.25):
        return None
    threshold, stored = draw.attribute(draw.choice(("grid", "plain")))
    return (draw.choice(list(MODES)), draw.randrange(features), threshold, stored, draw.randint(0, 1),
            grow(draw, features, depth - 1), grow(draw, features, depth - 1))


def flatten(tree, nodes):
    """Numbers the nodes in pre-order; a row holds the children's numbers."""
    number = len(nodes)
    nodes.append(None)
    if tree is None:
        nodes[number] = ("LEAF", 0, ZERO, 0.0, 0, 0, 0)
    else:
        nodes[number] = (*tree[:5], flatten(tree[5], nodes), flatten(tree[6], nodes))
    return number


def leaf_of(nodes, row):
    at = 0
    while nodes[at][0] != "LEAF":
        mode, feature, threshold, _, tracks, true, false = nodes[at]
        x = row[feature]
        at = true if (tracks if x.is_nan() else MODES[mode](x, threshold)) else false
    return at


@operator("TreeEnsembleRegressor", domain=DOMAIN)
def tree_regressor(draw):
    version = draw.choice((1, 3))
    features, targets = draw.randint(1, 3), draw.randint(1, 3)
    x = draw_rows(draw, features, draw.choice(("grid", "plain", "mixed")))
    trees = []
    for _ in range(draw.randint(1, 3)):
        trees.append([])
        flatten(grow(draw, features, 3), trees[-1])
    rows = [(t, n, *node) for t, nodes in enumerate(trees) for n, node in enumerate(nodes)]
    votes = {(t, n): [(k, *draw.attribute(draw.choice(("plain", "cancel")))) for k in range(targets) if draw.chance(0.7)]
             for t, n, mode, *_ in rows if mode == "LEAF"}
    votes = {k: v or [(0, ONE, 1.0)] for k, v in votes.items()}
    listed = [(t, n, *vote) for (t, n), group in votes.items() for vote in group]
    aggregate = draw.choice(("SUM", "AVERAGE", "MIN", "MAX"))
    attributes = {
        "nodes_treeids": [r[0] for r in rows], "nodes_nodeids": [r[1] for r in rows],
        "nodes_modes": [r[2] for r in rows], "nodes_featureids": [r[3] for r in rows], "nodes_values": [r[5] for r in rows],
        "nodes_missing_value_tracks_true": [r[6] for r in rows], "nodes_truenodeids": [r[7] for r in rows],
        "nodes_falsenodeids": [r[8] for r in rows], "target_treeids": [v[0] for v in listed],
        "target_nodeids": [v[1] for v in listed], "target_ids": [v[2] for v in listed],
        "target_weights": [v[4] for v in listed], "n_targets": targets, "aggregate_function": aggregate,
        "post_transform": draw.choice(POST[:4])}
    base = [ZERO] * targets
    if draw.chance(0.5):
        base, attributes["base_values"] = draw_floats(draw, targets)
    join = {"SUM": total, "AVERAGE": lambda v: total(v) / len(trees), "MIN": minimum, "MAX": maximum}[aggregate]
    y = []
    for row in x.reals():
        cast = [vote for t, nodes in enumerate(trees) for vote in votes[t, leaf_of(nodes, row)]]
        scores = []
        for k in range(targets):
            own = [w for target, w, _ in cast if target == k]
            scores.append((join(own) if own else ZERO) + base[k])
        y.append(post_transform(attributes["post_transform"], scores))
    return Case(version, [x], [rounded(F32, array(y, (x.shape[0], targets)))], attributes)


@operator("TreeEnsemble", domain=DOMAIN)
def tree_ensemble(draw):
    fmt = draw.choice((F32, F64, F16))
    features, targets = draw.randint(1, 3), draw.randint(1, 3)
    x = draw.tensor(fmt, (draw.randint(1, 4), features), draw.choice(("grid", "plain", "mixed")))
    inner, leaves, roots = [], [], []

    def lay(tree):
        """(is a leaf, index) of a subtree."""
        if tree is None:
            leaves.append((draw.randrange(targets), draw.tensor(fmt, (), draw.choice(("plain", "cancel"))).bits[0]))
            return 1, len(leaves) - 1
        number = len(inner)
        inner.append(None)
        split = fmt.nearest(tree[2].q, tree[2].minus)
        inner[number] = (tree[0], tree[1], split, tree[4], lay(tree[5]), lay(tree[6]))
        return 0, number
    for _ in range(draw.randint(1, 3)):
        tree = grow(draw, features, 3)
        while tree is None:
            tree = grow(draw, features, 3)
        roots.append(lay(tree)[1])
    aggregate, post = draw.randint(0, 3), draw.choice((0, 1, 2, 3))
    order = list(MODES)
    attributes = {
        "tree_roots": roots, "n_targets": targets, "aggregate_function": aggregate, "post_transform": post,
        "nodes_modes": helper.make_tensor("modes", 2, [len(inner)], [order.index(n[0]) for n in inner]),
        "nodes_featureids": [n[1] for n in inner], "nodes_missing_value_tracks_true": [n[3] for n in inner],
        "nodes_splits": tensor_attribute(fmt, [n[2] for n in inner]),
        "nodes_trueleafs": [n[4][0] for n in inner], "nodes_truenodeids": [n[4][1] for n in inner],
        "nodes_falseleafs": [n[5][0] for n in inner], "nodes_falsenodeids": [n[5][1] for n in inner],
        "leaf_targetids": [t for t, _ in leaves], "leaf_weights": tensor_attribute(fmt, [w for _, w in leaves])}
    y = []
    for row in x.reals():
        found = [[] for _ in range(targets)]
        for root in roots:
            leaf, at = 0, root
            while not leaf:
                mode, feature, split, tracks, true, false = inner[at]
                v = row[feature]
                leaf, at = true if (tracks if v.is_nan() else MODES[mode](v, fmt.decode(split))) else false
            found[leaves[at][0]].append(fmt.decode(leaves[at][1]))
        join = [lambda v: total(v) / len(roots), total, minimum, maximum][aggregate]
        scores = [join(v) if v else ZERO for v in found]
        y.append(post_transform(("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO")[post], scores))
    return Case(5, [x], [rounded(fmt, array(y, (x.shape[0], targets)))], attributes)


def tensor_attribute(fmt, bits):
    return Tensor(fmt, (len(bits),), bits).proto("values")
