"""ai.onnx.ml: ensembles of trees."""
from onnx import helper

from oracle.draw import int_tensor
from oracle.formats import F16, F32, F64, Tensor, array, rounded
from oracle.learned import DOMAIN, POST, best, draw_floats, draw_rows, post_transform
from oracle.real import ZERO, maximum, minimum, total
from oracle.suite import Case, operator

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


def draw_forest(draw, features, targets, kind):
    """Trees as lists of nodes, the votes of each leaf, and the attributes; kind is the prefix of the votes' own."""
    trees = []
    for _ in range(draw.randint(1, 3)):
        trees.append([])
        flatten(grow(draw, features, 3), trees[-1])
    rows = [(t, n, *node) for t, nodes in enumerate(trees) for n, node in enumerate(nodes)]
    votes = {}
    for t, n, mode, *_ in rows:
        if mode == "LEAF":
            chosen = [k for k in range(targets) if draw.chance(0.7)] or [0]
            votes[t, n] = [(k, *draw.attribute(draw.choice(("plain", "cancel")))) for k in chosen]
    listed = [(t, n, *vote) for (t, n), group in votes.items() for vote in group]
    attributes = {
        "nodes_treeids": [r[0] for r in rows], "nodes_nodeids": [r[1] for r in rows],
        "nodes_modes": [r[2] for r in rows], "nodes_featureids": [r[3] for r in rows],
        "nodes_values": [r[5] for r in rows], "nodes_missing_value_tracks_true": [r[6] for r in rows],
        "nodes_truenodeids": [r[7] for r in rows], "nodes_falsenodeids": [r[8] for r in rows],
        f"{kind}_treeids": [v[0] for v in listed], f"{kind}_nodeids": [v[1] for v in listed],
        f"{kind}_ids": [v[2] for v in listed], f"{kind}_weights": [v[4] for v in listed]}
    return trees, votes, attributes


def cast_votes(trees, votes, row):
    return [vote for t, nodes in enumerate(trees) for vote in votes[t, leaf_of(nodes, row)]]


@operator("TreeEnsembleRegressor", domain=DOMAIN)
def tree_regressor(draw):
    features, targets = draw.randint(1, 3), draw.randint(1, 3)
    x = draw_rows(draw, features, draw.choice(("grid", "plain", "mixed")))
    trees, votes, attributes = draw_forest(draw, features, targets, "target")
    aggregate = draw.choice(("SUM", "AVERAGE", "MIN", "MAX"))
    attributes.update({"n_targets": targets, "aggregate_function": aggregate, "post_transform": draw.choice(POST[:4])})
    base = [ZERO] * targets
    if draw.chance(0.5):
        base, attributes["base_values"] = draw_floats(draw, targets)
    join = {"SUM": total, "AVERAGE": lambda v: total(v) / len(trees), "MIN": minimum, "MAX": maximum}[aggregate]
    y = []
    for row in x.reals():
        cast = cast_votes(trees, votes, row)
        found = [[w for target, w, _ in cast if target == k] for k in range(targets)]
        scores = [(join(own) if own else ZERO) + b for own, b in zip(found, base)]
        y.append(post_transform(attributes["post_transform"], scores))
    return Case(draw.choice((1, 3)), [x], [rounded(F32, array(y, (x.shape[0], targets)))], attributes)


@operator("TreeEnsembleClassifier", domain=DOMAIN)
def tree_classifier(draw):
    # From three classes on, or with two base values: the pair that two classes may mean is a rule of its own.
    features, classes = draw.randint(1, 3), draw.randint(2, 4)
    x = draw_rows(draw, features, draw.choice(("grid", "plain", "mixed")))
    trees, votes, attributes = draw_forest(draw, features, classes, "class")
    labels = draw.sample(range(-50, 50), classes)
    attributes.update({"classlabels_int64s": labels, "post_transform": draw.choice(POST[:4])})
    base = [ZERO] * classes
    if classes == 2 or draw.chance(0.5):
        base, attributes["base_values"] = draw_floats(draw, classes)
    ys, zs = [], []
    for row in x.reals():
        cast = cast_votes(trees, votes, row)
        scores = [total([b] + [w for target, w, _ in cast if target == k]) for k, b in enumerate(base)]
        ys.append(labels[best(scores)])
        zs.append(post_transform(attributes["post_transform"], scores))
    return Case(draw.choice((1, 3)), [x], [int_tensor(ys), rounded(F32, array(zs))], attributes)


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
