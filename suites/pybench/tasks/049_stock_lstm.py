"""A long short-term memory network of share prices, without a library for such networks."""

from runner.checks import Case

INDEX = "49"
TITLE = "A recurrent network of share prices"
CATEGORY = "chart"
OUTPUTS = ["49.pkl"]
STRENGTH = "partial"
NOTE = "The kernel environment has no library with such networks, so it must be written by hand and its weights be saved as plain arrays: a class of the agent's own cannot be opened elsewhere. Weights must have the form of four gates and have been trained; what they predict cannot be told without knowing their order."


def check(case: Case) -> None:
    from runner.checks import models

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
