# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""A long short-term memory network of share prices, without a library for such networks."""

from runner.checks import Case
from runner.checks.data import tables

INDEX = "49"
TITLE = "A recurrent network of share prices"
CATEGORY = "chart"
OUTPUTS = ["49.pkl"]
STRENGTH = "partial"
NOTE = "The kernel environment has no library with such networks, so it must be written by hand and its weights be saved as plain arrays, or in an object that cloudpickle saved together with its class, of which only the attributes are read: a class of the agent's own that pickle or joblib saved by its name cannot be opened elsewhere. Weights must have the form of four gates and have been trained. Those of one layer that reads one value a day are tried, with the gates in the usual orders (input or forgetting first, the new value third or last), on windows of each share's closing prices, scaled as usual: they must foretell the next day better than the mean, by four fifths of the variance. Those of other networks (several layers or columns, more weights behind) cannot be tried: how well they predict is not looked at."
LEAST = 0.8  # of the variance of the next day's price
DAYS = 12  # of a window
# Where a stacked matrix has the gates for input, forgetting, output and the new value.
ORDERS = [(0, 1, 2, 3), (0, 1, 3, 2), (1, 0, 2, 3), (1, 0, 3, 2)]


def check(case: Case) -> None:
    from runner.checks.model_files import models

    [held] = models.ask(case, "49.pkl", [models.value()])
    matrices = list(matrices_in(held))
    sizes = ", ".join(f"{len(m)} × {len(m[0])}" for m in matrices[:8]) or "none"
    gates = gate_matrices(matrices)
    case.demand(
        "four gates",
        gates,
        "weights of an LSTM: sides of 4 h and h, or four matrices of h by h + d",
        sizes,
        "49.pkl",
        f"49.pkl holds no weights in the form of an LSTM's four gates (matrices: {sizes}).",
    )
    flat = [value for matrix in gates for row in matrix for value in row]
    trained = len({round(v, 12) for v in flat}) > len(flat) / 2 and all(abs(v) < 1e4 for v in flat)
    case.expect(
        "trained",
        trained,
        "finite weights that differ",
        f"{len(flat)} weights",
        "49.pkl",
        "49.pkl holds weights that are all alike or out of bounds: nothing was trained.",
    )
    layer = layer_of(held)
    if layer is None:
        return
    best = max(explained(layer, series) for series in scaled_prices(case))
    case.expect(
        "prices followed",
        best >= LEAST,
        f"{LEAST:.0%} of the variance of the next day's price",
        f"{best:.0%}",
        "49.pkl",
        f"49.pkl holds weights that explain {best:.0%} of the next day's price: nothing was learnt.",
    )


def scaled_prices(case: Case) -> list:
    """Each share's closing prices and all of them, with mean 0 and deviation 1, and from 0 to 1."""
    import numpy as np

    source = tables.source(case.data / "regress_stocks.csv")
    closes, tickers = np.array(source.column("Close"), float), np.array(source.column("Ticker"))
    found = []
    for share in sorted(set(tickers)):
        own = closes[tickers == share]
        for known in (closes, own, own[: int(0.8 * len(own))]):
            found.append((own - known.mean()) / known.std())
            found.append((own - known.min()) / (known.max() - known.min()))
    return found


def arrays_in(value: object, depth: int = 0) -> list:
    """Every vector and matrix of numbers in nested dicts and lists, in their order."""
    import numpy as np

    if isinstance(value, dict) and depth < 6:
        return [array for item in value.values() for array in arrays_in(item, depth + 1)]
    if isinstance(value, list) and value:
        try:
            array = np.array(value, float)
        except (TypeError, ValueError):
            return [array for item in value for array in arrays_in(item, depth + 1)]
        return [array] if array.ndim in (1, 2) else []
    return []


def layer_of(held: object):
    """The weights of one layer that reads one value: (gates by [state, value], bias, out, shift).

    None for any other network.
    """
    import numpy as np

    arrays = [a.squeeze() if 1 in a.shape else a for a in arrays_in(held)]
    matrices = [a for a in arrays if a.ndim == 2]
    for h in range(2, 257):
        tall = [m if m.shape[0] == 4 * h else m.T for m in matrices if sorted(m.shape)[-1] == 4 * h]
        if len(tall) == 1 and len(matrices) == 1 and tall[0].shape == (4 * h, h + 1):
            gates, used = tall[0], 4 * h
        elif len(tall) == 1 and len(matrices) == 1 and tall[0].shape == (4 * h, h):
            values = [a for a in arrays if a.shape == (4 * h,)]
            if not values:
                return None
            gates, used = np.column_stack([tall[0], values[0]]), 4 * h
            arrays = [a for a in arrays if a is not values[0]]
        elif len(matrices) == 4 and all(sorted(m.shape) == [h, h + 1] for m in matrices):
            gates = np.vstack([m if m.shape[0] == h else m.T for m in matrices])
            used = h
        else:
            continue
        biases = [a for a in arrays if a.shape == (used,)]
        ends = [a for a in arrays if a.shape == (h,)]
        if used == h:
            bias, ends = (np.concatenate(ends[:4]), ends[4:]) if len(ends) == 5 else (None, [])
        else:
            bias = biases[0] if len(biases) == 1 else None
        if bias is None or len(ends) != 1:
            return None
        shifts = [float(a) for a in arrays if a.ndim == 0]
        return gates, bias, ends[0], shifts[0] if len(shifts) == 1 else 0.0
    return None


def explained(layer: tuple, series) -> float:
    """The share of the next value's variance that the layer foretells, gates in a usual order."""
    import numpy as np

    gates, bias, out, shift = layer
    h = len(out)
    places = np.linspace(0, len(series) - DAYS - 1, 40).astype(int)
    rows = np.array([series[n : n + DAYS] for n in places])
    wanted = series[places + DAYS]
    best = -1.0
    turned = np.column_stack([gates[:, 1:], gates[:, :1]])
    for weights in (gates, turned):
        for i, f, o, g in ORDERS:
            state = memory = np.zeros((len(rows), h))
            for day in rows.T:
                a = np.column_stack([state, day]) @ weights.T + bias
                parts = [np.clip(a[:, k * h : (k + 1) * h], -40, 40) for k in (i, f, o, g)]
                keep = [1 / (1 + np.exp(-part)) for part in parts[:3]]
                memory = keep[1] * memory + keep[0] * np.tanh(parts[3])
                state = keep[2] * np.tanh(memory)
            off = state @ out + shift - wanted
            best = max(best, 1 - float((off**2).sum() / ((wanted - wanted.mean()) ** 2).sum()))
    return best


def matrices_in(value: object, depth: int = 0):
    """Every matrix of numbers in nested dicts and lists."""
    if depth > 6:
        return
    if isinstance(value, dict):
        for item in value.values():
            yield from matrices_in(item, depth + 1)
    elif is_matrix(value):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from matrices_in(item, depth + 1)


def is_matrix(value: object) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(row, list) and row and len(row) == len(value[0]) for row in value)
        and all(isinstance(v, int | float) and v == v for row in value for v in row)
    )


def gate_matrices(matrices: list) -> list:
    """Those that are the weights of the gates for some number h of cells."""
    for h in range(2, 513):
        stacked = [m for m in matrices if 4 * h in (len(m), len(m[0]))]
        others = [len(m[0]) if len(m) == 4 * h else len(m) for m in stacked]
        if any(side > h for side in others) or (h in others and len(others) >= 2):
            return stacked
        single = [m for m in matrices if h in (len(m), len(m[0]))]
        wide = [m for m in single if max(len(m), len(m[0])) > h]
        square = [m for m in single if len(m) == len(m[0]) == h]
        for side in {max(len(m), len(m[0])) for m in wide}:
            same = [m for m in wide if max(len(m), len(m[0])) == side]
            if len(same) >= 4:
                return same
        if len(square) >= 4:
            return square
    return []


REFERENCE = {
    "cells": [
        """
import importlib.util
import pandas as pd

df = pd.read_csv("data/regress_stocks.csv")
print(df.groupby("Ticker")["Close"].describe())
print({name: importlib.util.find_spec(name) is not None for name in ("torch", "tensorflow", "keras")})
""",
        """
import pickle
import numpy as np

close = df.loc[df["Ticker"] == "AAPL", "Close"].to_numpy()
mean, deviation = close.mean(), close.std()
series = (close - mean) / deviation
steps, cells = 8, 6
X = np.array([series[n : n + steps] for n in range(len(series) - steps)])
y = series[steps:]
cut = int(len(X) * 0.8)
rng = np.random.default_rng(0)
W = {
    "gates": rng.normal(0, 0.3, (4 * cells, cells + 1)),
    "bias": np.zeros(4 * cells),
    "out": rng.normal(0, 0.3, (1, cells)),
    "shift": np.zeros(1),
}

def sigmoid(a):
    return 1 / (1 + np.exp(-a))

def forward(rows):
    h = c = np.zeros((len(rows), cells))
    past = []
    for t in range(steps):
        joined = np.column_stack([h, rows[:, t]])
        a = joined @ W["gates"].T + W["bias"]
        i, f, o = (sigmoid(a[:, k * cells : (k + 1) * cells]) for k in range(3))
        g = np.tanh(a[:, 3 * cells :])
        before, c = c, f * c + i * g
        h = o * np.tanh(c)
        past.append((joined, i, f, o, g, before, c))
    return h, (h @ W["out"].T + W["shift"]).ravel(), past

def gradients(rows, wanted):
    h, guess, past = forward(rows)
    off = 2 * (guess - wanted)[:, None] / len(rows)
    found = {name: np.zeros_like(value) for name, value in W.items()}
    found["out"], found["shift"] = off.T @ h, off.sum(axis=0)
    dh, dc = off @ W["out"], np.zeros_like(h)
    for joined, i, f, o, g, before, c in reversed(past):
        tanh = np.tanh(c)
        dc = dc + dh * o * (1 - tanh**2)
        da = np.column_stack([dc * g * i * (1 - i), dc * before * f * (1 - f), dh * tanh * o * (1 - o), dc * i * (1 - g**2)])
        found["gates"] += da.T @ joined
        found["bias"] += da.sum(axis=0)
        dh, dc = (da @ W["gates"])[:, :cells], dc * f
    return found, float(np.mean((guess - wanted) ** 2))

speed = {name: np.zeros_like(value) for name, value in W.items()}
for epoch in range(400):
    slopes, loss = gradients(X[:cut], y[:cut])
    for name in W:
        speed[name] = 0.9 * speed[name] + slopes[name]
        W[name] = W[name] - 0.05 * speed[name]
test = float(np.sqrt(np.mean((forward(X[cut:])[1] - y[cut:]) ** 2))) * deviation
print(f"loss: {loss:.3f}")
print(f"rmse: {test:.2f}")
with open("output/49.pkl", "wb") as file:
    pickle.dump({"weights": W, "mean": mean, "deviation": deviation, "steps": steps, "cells": cells}, file)
""",
    ],
    "answer": "No deep-learning library is installed, so I wrote an LSTM with NumPy and trained it on AAPL's closing price (windows of 8 days): RMSE on the last fifth «rmse» dollars. Its weights are saved in ./output/49.pkl.",
}
WRONG = {
    "plain-network": {
        "why": "falls back to a network without memory",
        "cells": [
            """
import pickle
import numpy as np
import pandas as pd
from sklearn.neural_network import MLPRegressor

df = pd.read_csv("data/regress_stocks.csv")
close = df.loc[df["Ticker"] == "AAPL", "Close"].to_numpy()
X = np.array([close[n : n + 8] for n in range(len(close) - 8)])
pickle.dump(MLPRegressor(hidden_layer_sizes=(16,), max_iter=200, random_state=0).fit(X, close[8:]), open("output/49.pkl", "wb"))
"""
        ],
        "answer": "The LSTM model is saved to ./output/49.pkl.",
    },
    "untrained": {
        "why": "saves the network's weights as they were made, all zero",
        "cells": [
            """
import pickle
import numpy as np

pickle.dump({"gates": np.zeros((24, 7)), "bias": np.zeros(24), "out": np.zeros((1, 6))}, open("output/49.pkl", "wb"))
"""
        ],
        "answer": "The LSTM model is saved to ./output/49.pkl.",
    },
    "class-of-its-own": {
        "why": "pickles an object of a class that only the agent's kernel knows",
        "cells": [
            """
import pickle
import numpy as np

class LSTM:
    def __init__(self):
        self.gates = np.random.default_rng(0).normal(size=(24, 7))

with open("output/49.pkl", "wb") as file:
    pickle.dump(LSTM(), file)
"""
        ],
        "answer": "The LSTM model is saved to ./output/49.pkl.",
    },
}
