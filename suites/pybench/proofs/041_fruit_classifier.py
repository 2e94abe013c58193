# PyBench canary 5d8f3a52-9c1e-4b7a-8f60-2e7d1c94b3a6: leave out of training data
"""Rows that the task of the same name is proved with, beyond its own."""

STYLES = {
    "report-pasted": {
        "why": "pastes scikit-learn's report: the figures stand below the words",
        "answer": "Classification report on the test rows:\n\n              precision    recall  f1-score   support\n\n         bad       «precision»      «recall»      0.90       399\n        good       «precision»      «recall»      0.90       401\n\n    accuracy                           0.90       800\n   macro avg       0.90      0.90      0.90       800\nweighted avg       0.90      0.90      0.90       800\n\nThe model is in ./output/41.pkl.",
    },
    "table-by-class": {
        "why": "a Markdown table by class, in percent in the text",
        "answer": "| Class | Precision | Recall |\n|---|---|---|\n| good | «precision» | «recall» |\n| bad | «precision» | «recall» |\n\nSaved to `./output/41.pkl`.",
    },
    "scaled-array-with-scaler": {
        "why": "a machine on scaled arrays with numbered classes, kept with its scaler; bullets",
        "cells": [
            """
import joblib
import pandas as pd
from sklearn.metrics import precision_recall_fscore_support
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

df = pd.read_csv("data/classify.csv")
y = (df["Quality"].str.lower() == "good").astype(int)
X_train, X_test, y_train, y_test = train_test_split(df.drop(columns="Quality"), y, test_size=0.3, random_state=42)
scaler = StandardScaler().fit(X_train)
model = SVC().fit(scaler.transform(X_train), y_train)
p, r, _, _ = precision_recall_fscore_support(y_test, model.predict(scaler.transform(X_test)), average="binary")
print(f"precision: {100 * p:.1f}")
print(f"recall: {100 * r:.1f}")
joblib.dump({"model": model, "scaler": scaler}, "output/41.pkl")
"""
        ],
        "answer": "- **Precision**: «precision» %\n- **Recall**: «recall» %\n\nSVM saved to ./output/41.pkl",
    },
}
NEAR_MISSES = {
    "accuracy-and-error": {
        "why": "gives the share of errors for the recall",
        "edits": {
            "recall_score(y_test, guess, pos_label='Good'):.3f": "1 - recall_score(y_test, guess, pos_label='Good'):.3f"
        },
    },
    "wrong-columns-of-the-report": {
        "why": "reads the figures of a report one column too far to the right",
        "answer": "| Class | Precision | Recall | Support |\n|---|---|---|---|\n| good | 0.31 | 401 | «recall» |\n\nSaved to ./output/41.pkl.",
    },
    "one-figure": {
        "why": "reports the precision alone",
        "answer": "Precision: «precision». The model is saved as ./output/41.pkl.",
    },
}
