"""RNN, GRU, LSTM: the state is a tensor of the type and is rounded at each step, the gates inside a step are not."""
import numpy as np

from oracle import functions as fn
from oracle.draw import int_tensor
from oracle.elementwise import elu
from oracle.formats import I32, array, rounded
from oracle.real import ONE, ZERO, dot, maximum, minimum, total
from oracle.suite import Case, draw_version, operator

# name: (formula of x, alpha, beta; the defaults of those that it takes)
ACTIVATIONS = {
    "Relu": (lambda x, a, b: maximum([ZERO, x]), ()),
    "Tanh": (lambda x, a, b: fn.tanh(x), ()),
    "Sigmoid": (lambda x, a, b: fn.sigmoid(x), ()),
    "Affine": (lambda x, a, b: a * x + b, ("1", "0")),
    "LeakyRelu": (lambda x, a, b: x if x >= 0 else a * x, ("0.01",)),
    "ThresholdedRelu": (lambda x, a, b: x if x >= a else ZERO, ("1",)),
    "ScaledTanh": (lambda x, a, b: a * fn.tanh(b * x), (None, None)),
    "HardSigmoid": (lambda x, a, b: minimum([maximum([a * x + b, ZERO]), ONE]), ("0.2", "0.5")),
    "Elu": (lambda x, a, b: elu(x, a), ("1",)),
    "Softsign": (lambda x, a, b: x / (1 + abs(x)), ()),
    "Softplus": (lambda x, a, b: fn.softplus(x), ()),
}


def draw_activations(draw, defaults):
    """A list of functions of x and the attributes that name them; alpha and beta go to those that take one."""
    names = [draw.choice(list(ACTIVATIONS)) for _ in defaults]
    alphas, betas, functions = [], [], []
    for name in names:
        formula, parameters = ACTIVATIONS[name]
        values = []
        for stored, _ in zip((alphas, betas), parameters):
            value, number = draw.attribute("plain")
            stored.append(number)
            values.append(value)
        values += [None] * (2 - len(values))
        functions.append(lambda x, f=formula, v=values: f(x, *v))
    return functions, {"activations": names, "activation_alpha": alphas or None, "activation_beta": betas or None}


def default_activations(names):
    return [lambda x, f=ACTIVATIONS[name][0]: f(x, None, None) for name in names]


class Layer:
    """What the three have in common: shapes, weights, directions, lengths, layout."""

    def __init__(self, draw, name, gates, functions):
        self.version, self.fmt = draw_version(draw, name, oldest=1)
        self.steps, self.batch, self.width, self.hidden = (draw.randint(1, 3) for _ in range(4))
        direction = draw.choice((None, "forward", "reverse", "bidirectional"))
        self.reversed = {None: [False], "forward": [False], "reverse": [True], "bidirectional": [False, True]}[direction]
        directions = len(self.reversed)
        self.attributes = {"hidden_size": self.hidden, "direction": direction}
        if draw.chance(0.5):
            self.functions, named = draw_activations(draw, functions * directions)
            self.attributes.update(named)
        else:
            self.functions = default_activations(functions * directions)
        self.per_direction = len(functions)
        self.clip = None
        if draw.chance(0.3):
            self.clip, self.attributes["clip"] = draw.attribute("positive")
        layout = int(self.version >= 14 and draw.chance(0.3))
        if self.version >= 14:
            self.attributes["layout"] = layout
        self.layout = layout

        def tensor(*shape):
            return draw.tensor(self.fmt, shape, draw.choice(("plain", "plain", "grid", "unit", "cancel", "wide", "mixed")))
        h = self.hidden
        self.x = tensor(*((self.batch, self.steps) if layout else (self.steps, self.batch)), self.width)
        self.w, self.r = tensor(directions, gates * h, self.width), tensor(directions, gates * h, h)
        self.b = tensor(directions, 2 * gates * h) if draw.chance(0.7) else None
        state = (self.batch, directions, h) if layout else (directions, self.batch, h)
        self.initial_h = tensor(*state) if draw.chance(0.5) else None
        self.initial_c = tensor(*state) if name == "LSTM" and draw.chance(0.5) else None
        self.peepholes = tensor(directions, 3 * h) if name == "LSTM" and draw.chance(0.4) else None
        self.lengths = [draw.randint(1, self.steps) for _ in range(self.batch)] if draw.chance(0.3) else None
        self.y = np.empty((self.steps, directions, self.batch, h), dtype=object)
        self.y.fill(ZERO)

    def activate(self, direction, which, x):
        if self.clip is not None and not x.is_nan():
            x = maximum([-self.clip, minimum([self.clip, x])])
        return self.functions[direction * self.per_direction + which](x)

    def gate(self, direction, g, x, h):
        """Terms of gate g for each hidden unit: those of X W^T and its bias, those of H R^T and its bias."""
        rows = slice(g * self.hidden, (g + 1) * self.hidden)
        w, r = self.w.reals()[direction][rows], self.r.reals()[direction][rows]
        from_x, from_h = [[dot(x, row)] for row in w], [[dot(h, row)] for row in r]
        if self.b:
            gates = self.b.shape[1] // 2 // self.hidden
            bias = self.b.reals()[direction]
            for i in range(self.hidden):
                from_x[i].append(bias[g * self.hidden + i])
                from_h[i].append(bias[(gates + g) * self.hidden + i])
        return from_x, from_h

    def gate_sums(self, direction, g, x, h):
        return [total(a + b) for a, b in zip(*self.gate(direction, g, x, h))]

    def start(self, tensor, direction, b):
        if tensor is None:
            return [ZERO] * self.hidden
        values = tensor.reals()
        return list(values[b, direction] if self.layout else values[direction, b])

    def rounded(self, values):
        return [self.fmt.round(v) for v in values]

    def run(self, step):
        """step(direction, x, state) gives the next state, a list of lines that starts with H."""
        directions = len(self.reversed)
        count = 2 if self.initial_c or self.attributes.get("input_forget") is not None else 1
        finals = np.empty((count, directions, self.batch, self.hidden), dtype=object)
        x = self.x.reals().transpose(1, 0, 2) if self.layout else self.x.reals()
        for d, b in np.ndindex(directions, self.batch):
            state = [self.start(self.initial_h, d, b)] + ([self.start(self.initial_c, d, b)] if count == 2 else [])
            length = self.lengths[b] if self.lengths else self.steps
            order = range(length)[::-1] if self.reversed[d] else range(length)
            for t in order:
                state = step(d, list(x[t, b]), state)
                self.y[t, d, b] = array(state[0])
            for k, line in enumerate(state):
                finals[k, d, b] = array(line)
        y = self.y.transpose(2, 0, 1, 3) if self.layout else self.y
        outputs = [rounded(self.fmt, y)]
        return outputs + [rounded(self.fmt, f.transpose(1, 0, 2) if self.layout else f) for f in finals]

    def case(self, step):
        outputs = self.run(step)
        lengths = int_tensor(self.lengths, I32) if self.lengths else None
        inputs = [self.x, self.w, self.r, self.b, lengths, self.initial_h, self.initial_c, self.peepholes]
        while inputs[-1] is None:
            inputs.pop()
        return Case(self.version, inputs, outputs, self.attributes)


@operator("RNN")
def rnn(draw):
    layer = Layer(draw, "RNN", 1, ["Tanh"])

    def step(d, x, state):
        return [layer.rounded([layer.activate(d, 0, v) for v in layer.gate_sums(d, 0, x, state[0])])]
    return layer.case(step)


@operator("GRU")
def gru(draw):
    layer = Layer(draw, "GRU", 3, ["Sigmoid", "Tanh"])
    before = draw.randint(0, 1) if layer.version >= 3 else 0
    if layer.version >= 3:
        layer.attributes["linear_before_reset"] = before

    def step(d, x, state):
        h = state[0]
        z, r = ([layer.activate(d, 0, v) for v in layer.gate_sums(d, g, x, h)] for g in (0, 1))
        if before:
            from_x, from_h = layer.gate(d, 2, x, h)
            sums = [total([*a, ri * total(b)]) for a, ri, b in zip(from_x, r, from_h)]
        else:
            sums = layer.gate_sums(d, 2, x, [ri * hi for ri, hi in zip(r, h)])
        candidate = [layer.activate(d, 1, v) for v in sums]
        return [layer.rounded([(1 - zi) * ci + zi * hi for zi, ci, hi in zip(z, candidate, h)])]
    return layer.case(step)


@operator("LSTM")
def lstm(draw):
    layer = Layer(draw, "LSTM", 4, ["Sigmoid", "Tanh", "Tanh"])
    coupled = layer.attributes["input_forget"] = draw.choice((0, 0, 0, 1))

    def peephole(d, which, sums, c):
        if layer.peepholes is None:
            return sums
        p = layer.peepholes.reals()[d][which * layer.hidden:(which + 1) * layer.hidden]
        return [s + pi * ci for s, pi, ci in zip(sums, p, c)]

    def step(d, x, state):
        h, c = state
        gate_i, gate_o, gate_f, gate_c = (layer.gate_sums(d, g, x, h) for g in range(4))
        i = [layer.activate(d, 0, v) for v in peephole(d, 0, gate_i, c)]
        f = [1 - v for v in i] if coupled else [layer.activate(d, 0, v) for v in peephole(d, 2, gate_f, c)]
        candidate = [layer.activate(d, 1, v) for v in gate_c]
        c = layer.rounded([fi * ci + ii * ki for fi, ci, ii, ki in zip(f, c, i, candidate)])
        o = [layer.activate(d, 0, v) for v in peephole(d, 1, gate_o, c)]
        return [layer.rounded([oi * layer.activate(d, 2, ci) for oi, ci in zip(o, c)]), c]
    return layer.case(step)
