"""Losses over labels."""
import numpy as np

from oracle.formats import I32, I64, array, rounded
from oracle.real import ONE, ZERO, total
from oracle.reductions import log_softmax
from oracle.draw import int_tensor
from oracle.suite import Case, draw_version, operator

REDUCTIONS = (None, "none", "sum", "mean")


def reduce_losses(losses, weights, reduction):
    if reduction == "none":
        return losses
    whole = total(list(losses.reshape(-1)))
    return array(whole if reduction == "sum" else whole / total(list(weights.reshape(-1))))


def draw_labels(draw, shape, classes, ignore):
    """Labels, some of them the ignored one, but never all."""
    count = int(np.prod(shape, dtype=int))
    labels = [ignore if ignore is not None and draw.chance(0.25) else draw.randrange(classes) for _ in range(count)]
    if ignore is not None and all(label == ignore for label in labels):
        labels[0] = next(c for c in range(classes + 1) if c != ignore) % classes
    return int_tensor(labels, draw.choice((I32, I64)), shape)


@operator("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss")
def loss(draw, name):
    version, fmt = draw_version(draw, name, oldest=12)
    batch, classes, rest = draw.randint(1, 3), draw.randint(2, 4), draw.shape(rank=draw.randint(0, 2), high=3)
    x = draw.tensor(fmt, (batch, classes, *rest), draw.choice(("grid", None)))
    ignore = draw.choice((None, None, 1, -1, -100, 7))
    labels = draw_labels(draw, (batch, *rest), classes, ignore)
    weights = draw.tensor(fmt, (classes,), draw.choice(("positive", "positive", "grid", "mixed"))) if draw.chance(0.5) else None
    reduction = draw.choice(REDUCTIONS)
    values = x.reals()
    if name == "SoftmaxCrossEntropyLoss":
        lines = np.moveaxis(values, 1, -1)
        logs = np.empty(lines.shape, dtype=object)
        for index in np.ndindex(lines.shape[:-1]):
            logs[index] = array(log_softmax(list(lines[index])))
        values = np.moveaxis(logs, -1, 1)
    losses, applied = np.empty(labels.shape, dtype=object), np.empty(labels.shape, dtype=object)
    own = weights.reals() if weights else None
    for (n, *at), label in np.ndenumerate(labels.integers()):
        index = (n, *at)
        if label == ignore:
            losses[index] = applied[index] = ZERO
            continue
        applied[index] = ONE if own is None else own[label]
        losses[index] = -values[(n, label, *at)] * applied[index]
    outputs = [rounded(fmt, reduce_losses(losses, applied, reduction or "mean"))]
    if name == "SoftmaxCrossEntropyLoss" and draw.chance(0.5):
        outputs.append(rounded(fmt, values))
    return Case(version, [x, labels] + ([weights] if weights else []), outputs,
                {"reduction": reduction, "ignore_index": ignore})
