"""Rows of the proof beside the task's own solutions."""

STYLES = {
    "bare": {"why": "the number alone", "answer": "**«count»**"},
    "in-english": {"why": "answers in English", "answer": "There are «count» such films."},
}
NEAR_MISSES = {
    "one-more": {"why": "counts one too many", "answer": "一共有 29 部。"},
    "minutes": {"why": "gives the bound for the count", "answer": "一共有 121 部。"},
}
GAMERS = {
    "candidates": {"why": "names several", "cells": [], "answer": "一共有 27 或 28 或 29 部。"},
}
