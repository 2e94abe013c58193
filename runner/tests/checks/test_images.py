"""Measures of pixels that take short cuts say what the long way says."""

from __future__ import annotations

import asyncio

import pytest

from runner.contract import Assertion
from runner.tests.support.check_trials import Trial, expect_as_told, try_out

pytestmark = pytest.mark.sandbox

SETUP = """
import numpy as np
rng = np.random.default_rng(5)
ONE = rng.integers(0, 256, (301, 270, 3), dtype=np.uint8)
OTHER = np.clip(ONE.astype(int) + rng.integers(-40, 40, ONE.shape), 0, 255).astype(np.uint8)
FLAT = (ONE // 64 * 64).astype(np.uint8)
GLASS = np.dstack([ONE, rng.integers(0, 256, ONE.shape[:2], dtype=np.uint8)])

def same(case, found, wanted):
    case.near("value", float(found), float(wanted), 1e-9 * max(1.0, abs(float(wanted))))

def alike(case, found, wanted):
    case.expect("shape", found.shape == wanted.shape, wanted.shape, found.shape)
    case.expect("values", np.array_equal(found, wanted), message="they differ")

def commonest(pixels):
    flat = pixels.reshape(-1, 3)
    colours, counts = np.unique(flat // 8, axis=0, return_counts=True)
    near = (flat // 8 == colours[counts.argmax()]).all(axis=1)
    return np.median(flat[near], axis=0)

def check_library():
    from runner.checks.charts import figures
    from runner.checks.pictures import edits, images, placement as placing
    return edits, figures, images, placing
"""
EDITS, FIGURES, IMAGES, PLACING = (f"check_library()[{n}]" for n in range(4))
MEASURES = {
    "likeness": f"same(case, {IMAGES}.likeness(ONE, OTHER),"
    " np.corrcoef(ONE.ravel(), OTHER.ravel())[0, 1])",
    "likeness-of-a-blank": f"same(case, {IMAGES}.likeness(ONE, ONE * 0), 0)",
    "difference": f"same(case, {IMAGES}.difference(ONE, OTHER[:, ::-1]),"
    " np.abs(ONE.astype(int) - OTHER[:, ::-1]).mean())",
    "difference-of-parts": f"same(case, {IMAGES}.difference(ONE[3:-3, 2:, 0], OTHER[6:, :-2, 0]),"
    " np.abs(ONE[3:-3, 2:, 0].astype(int) - OTHER[6:, :-2, 0]).mean())",
    "difference-of-signed": f"same(case, {IMAGES}.difference(ONE.astype(np.int16), OTHER),"
    " np.abs(ONE.astype(int) - OTHER).mean())",
    "distance": f"alike(case, {IMAGES}.distance(ONE, (10.5, 200, 0)),"
    " np.abs(ONE - np.array([10.5, 200, 0])).max(axis=2))",
    "on-white": f"alike(case, {IMAGES}.on_white(GLASS), np.rint(ONE * (GLASS[..., 3:]"
    " / np.float32(255)) + 255 * (1 - GLASS[..., 3:] / np.float32(255))).astype(np.uint8))",
    "on-white-of-a-solid": f"alike(case, {IMAGES}.on_white(np.dstack([ONE, ONE[..., 0] * 0 + 255]))"
    ", ONE)",
    "chroma": f"same(case, {EDITS}.chroma(ONE), np.ptp(ONE.astype(int), axis=2).mean())",
    "colour-differences": f"alike(case, {EDITS}.colour_differences(ONE),"
    " np.float32(ONE[..., ::2].astype(int) - ONE[..., 1:2]))",
    "ground": f"alike(case, {IMAGES}.commonest(FLAT), commonest(FLAT))",
    "ink-share": f"same(case, {FIGURES}.ink_share(FLAT), 1 - max(np.unique(FLAT.reshape(-1, 3),"
    " axis=0, return_counts=True)[1]) / FLAT[..., 0].size)",
    "features-are-of-the-canvas-asked-for": f"same(case, [len({PLACING}.canvas_features(c, c)[0])"
    f" for c in (ONE, FLAT, ONE)] == [len({PLACING}.features_of(c)[0]) for c in (ONE, FLAT, ONE)],"
    " True)",
}
MAKE = "(data / '{0}.txt').write_text('x')"
TRIALS = [Trial(n, f"{n}.txt", MAKE.format(n), measure) for n, measure in MEASURES.items()]
TRIALS += [
    Trial(
        f"read-{name}",
        f"{name}.png",
        "from PIL import Image; "
        f"Image.fromarray(np.dstack([ONE, ONE[..., 0] * 0 + {alpha}])).save(data / '{name}.png')",
        f"alike(case, {IMAGES}.read(case, '{name}.png', 'PNG'), {wanted})",
    )
    for name, alpha, wanted in (("solid", 255, "ONE"), ("clear", 0, "ONE * 0 + 255"))
]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Assertion]:
    return asyncio.run(try_out(TRIALS, SETUP, tmp_path_factory.mktemp("images"), 120.0))


def test_a_short_cut_leads_to_the_same_place(
    found: dict[str, Assertion], subtests: pytest.Subtests
) -> None:
    for trial in TRIALS:
        with subtests.test(trial=trial):
            expect_as_told(trial, found[trial.name])
