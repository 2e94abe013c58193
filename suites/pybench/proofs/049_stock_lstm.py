# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "four-matrices": {
        "why": "saves the four gates as matrices of their own, transposed",
        "edits": {
            'pickle.dump({"weights": W,': 'pickle.dump({"weights": {**{f"W_{n}": W["gates"][k * cells : (k + 1) * cells].T for k, n in enumerate("ifog")}, **{f"b_{n}": W["bias"][k * cells : (k + 1) * cells] for k, n in enumerate("ifog")}, "W_y": W["out"], "b_y": W["shift"]},',
        },
    },
    "from-nought-to-one": {
        "why": "scales the prices from 0 to 1",
        "edits": {
            "mean, deviation = close.mean(), close.std()": "mean, deviation = close.min(), close.max() - close.min()",
        },
    },
    "instance-by-cloudpickle": {
        "why": "keeps the weights in an object of a class of its own, saved with its class",
        "edits": {
            'with open("output/49.pkl", "wb") as file:': """import cloudpickle

class LSTM:
    def __init__(self, weights, mean, deviation):
        self.W, self.b = weights["gates"], weights["bias"]
        self.V, self.c = weights["out"], weights["shift"]
        self.mean, self.deviation = mean, deviation

    def forward(self, rows):
        return sigmoid(rows @ self.W.T)

with open("output/49.pkl", "wb") as file:""",
            'pickle.dump({"weights": W, "mean": mean, "deviation": deviation, "steps": steps, "cells": cells}, file)': "cloudpickle.dump(LSTM(W, mean, deviation), file)",
        },
    },
}
NEAR_MISSES = {
    "before-training": {
        "why": "saves the weights as they were drawn, before a step of training",
        "edits": {
            "for epoch in range(400):": "for epoch in range(1):",
            "- 0.05 * speed[name]": "- 0.0 * speed[name]",
        },
    },
    "sign-lost": {
        "why": "saves the last weights with the other sign",
        "edits": {
            'pickle.dump({"weights": W,': 'pickle.dump({"weights": {**W, "out": -W["out"]},',
        },
    },
}
