"""Edited pictures: a check distinguishes an edit from one that only looks like it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from runner.contract import Assertion
from runner.tests.support.check_trials import Trial, expect_as_told, try_out

pytestmark = pytest.mark.sandbox

SETUP = """
import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter, ImageFont, PngImagePlugin
from runner.checks.pictures import cutouts, edits, filters, images, lettering, palettes
from runner.checks.pictures import placement, qr_codes
from runner.checks.media import films
from runner.checks.inputs import scenery
from runner.checks.clouds import cloud_shapes
RNG = np.random.default_rng(5)
PHOTO = scenery.landscape(np.random.default_rng(7), 480, 320)
OTHER = scenery.landscape(np.random.default_rng(8), 300, 300)
SCENE = PHOTO.copy()
for number in range(40):  # things to be found again
    for picture in (PHOTO, OTHER):
        x, y, w, h = (int(v) for v in RNG.integers((0, 0, 8, 8), (440, 280, 40, 40)))
        picture[y:y + h, x:x + w] = RNG.integers(0, 256, 3)
PAGE = Image.fromarray(PHOTO)
FLOAT = PHOTO.astype(float)
GREY = cv2.cvtColor(PHOTO, cv2.COLOR_RGB2GRAY)
CLIP = lambda levels: np.clip(levels, 0, 255).astype(np.uint8)
WORDS, RIVALS = ["Harbour", "at", "Dawn"], ["Garden", "in", "Dusk", "House"]
TEXT, STRANGERS = "山高水长", "川流不息大小天地人"
def strip(colours):
    return np.repeat(np.repeat(np.array(colours, np.uint8)[None], 80, 0), 80, 1)
def stack(one, other, width):
    page = Image.new("RGB", (width, one.shape[0] + other.shape[0]), "white")
    page.paste(Image.fromarray(one), (0, 0))
    page.paste(Image.fromarray(other), (0, one.shape[0]))
    return np.asarray(page)
def lettered(text, size, file=None):
    font = ImageFont.truetype(file, size) if file else ImageFont.load_default(size)
    page = Image.new("RGB", (420, 120), "white")
    ImageDraw.Draw(page).text((20, 30), text, fill="black", font=font)
    return np.asarray(page)
def cjk():
    return str(sorted(lettering.FONT_FOLDER.rglob("*CJK*.ttc"))[0])
def expect_kept(case, file):
    edits.expect_kept(case, edits.read(case, file), PHOTO, file)
def boxed(pixels, fill=0):
    page = pixels.copy()
    page[140:190, 200:260] = fill
    return page
def expect_part(case, file):
    placement.require_cut_from(case, edits.read(case, file), PHOTO, file)
def plain_profile():
    from PIL import ImageCms
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
def with_curve(raw, exponent, summand=0.0):
    at = raw.index(b"para")
    numbers = [round(n * 65536) for n in (exponent, 1, 0, 0, 0, summand, 0)]
    curve = b"para" + bytes(5) + bytes([4, 0, 0]) + np.array(numbers, ">i4").tobytes()
    return raw[:at] + curve + raw[at + len(curve) :]
def code(dark, light, module, text="https://example.org/a"):
    plain = cv2.QRCodeEncoder.create().encode(text)
    marks = np.pad(plain, 2, constant_values=255)
    big = np.kron(np.where(marks > 127, light, dark), np.ones((module, module)))
    return np.repeat(big[..., None], 3, -1).astype(np.uint8)
def expect_code(case, file):
    pixels = images.read(case, file, "PNG")
    found = qr_codes.read(case, file, pixels)
    qr_codes.expect_link(case, found, "example.org/a", file)
def titled(pixels, *lines):
    page = Image.fromarray(pixels)
    for text, x, y, size, colour in lines:
        font = ImageFont.load_default(size)
        ImageDraw.Draw(page).text((x, y), text, fill=colour, font=font)
    return np.asarray(page)
def box_around():
    page = Image.new("RGB", (480, 320), "white")
    ImageDraw.Draw(page).rectangle((3, 3, 476, 316), outline="black", width=2)
    return np.asarray(page)
def heart(colour):
    page = Image.new("RGB", (400, 400), "white")
    corners = [(200, 130), (290, 60), (360, 150), (200, 350), (40, 150), (110, 60)]
    ImageDraw.Draw(page).polygon(corners, fill=colour)
    return np.asarray(page)
def expect_paler(case, file):
    edits.expect_tones(
        case, edits.read(case, file), PHOTO, file,
        colourfulness=(0.2, 0.9), brightness_mean=(0.9, 1.1), brightness_spread=(0.8, 1.1),
    )
def expect_blur(case, file):
    _, miss = filters.gaussian_fit(edits.read(case, file), PHOTO)
    case.expect("blur", miss <= 0.065, actual=f"{miss:.3f}", file=file)
def expect_growth(case, file):
    found = filters.noise(edits.read(case, file), PHOTO)
    case.near("growth", found.growth, 1, 0.5, file)
def expect_both(case, file):
    canvas = edits.read(case, file)
    placement.require_shown(case, canvas, PHOTO, "the photograph", file)
    placement.require_shown(case, canvas, OTHER, "the other", file)
def expect_words(case, file):
    ink = edits.brightness(edits.read(case, file)) < 128
    case.equal("words", lettering.read_words(ink, WORDS, RIVALS), WORDS, file)
def expect_characters(case, file):
    ink = edits.brightness(edits.read(case, file)) < 128
    case.equal("characters", lettering.read_characters(ink, TEXT, STRANGERS), TEXT, file)
def expect_cut(case, file):
    front = np.zeros(PHOTO.shape[:2], bool)
    front[80:240, 120:360] = True
    cutouts.expect_cut_out(case, file, PHOTO, front, ~cutouts.grown(front, 3))
def cut(fill):
    pixels = np.dstack([PHOTO, np.full(PHOTO.shape[:2], 255, np.uint8)])
    front = np.zeros(PHOTO.shape[:2], bool)
    front[80:240, 120:360] = True
    pixels[~front] = fill
    return pixels
def expect_edges(case, file):
    corners = [(0, 0), (479, 0), (479, 319), (0, 319)]
    filters.expect_edges_of(case, file, PHOTO, corners, "scene")
def framed(corners):
    page = Image.new("RGB", (600, 450), "white")
    pen = ImageDraw.Draw(page)
    pen.rectangle((80, 40, 540, 400), outline="black")
    pen.polygon(corners, outline="red", width=3)
    return np.asarray(page)
def expect_notch(case, file):
    masks = [shape.mask for shape in cloud_shapes.shapes_in(cloud_shapes.read(case, file))]
    tops = [cloud_shapes.top_profile(mask) for mask in masks]
    notch = max(float(top[19:21].mean() - max(top[:18].min(), top[22:].min())) for top in tops)
    case.expect("notch", notch >= 0.06, actual=f"{notch:.2f}", file=file)
def animate(path, rate, change=lambda pixels: pixels):
    film = cv2.VideoWriter(path, cv2.VideoWriter_fourcc(*"mp4v"), rate, (480, 320))
    for step in range(20):
        film.write(np.ascontiguousarray(change(np.roll(PHOTO, 24 * step, 1))[..., ::-1]))
    film.release()
def exif_of(turn, more={}):
    exif = Image.Exif()
    exif.update({images.ORIENTATION_TAG: turn, **more})
    return exif
def expect_film(case, file):
    frames = [Image.fromarray(np.roll(PHOTO, 24 * step, 1)) for step in range(20)]
    path = "/tmp/animation.gif"
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=100)
    films.expect_film_of(case, file, lettering.Path(path))
"""


def picture(name: str, pixels: str, measure: str, says: str = "") -> Trial:
    """A picture made by the expression `pixels`, looked at by a function of SETUP."""
    file = f"{name}.png"
    made = f"Image.fromarray(np.ascontiguousarray({pixels})).save(data / {file!r})"
    return Trial(name, file, made, f"{measure}(case, {file!r})", says)


def turned(name: str, pixels: str, says: str = "") -> Trial:
    file = f"{name}.png"
    made = f"Image.fromarray(np.ascontiguousarray({pixels})).save(data / {file!r})"
    return Trial(
        name, file, made, f"edits.expect_turned(case, {file!r}, PHOTO, ['turned left'])", says
    )


def resized(name: str, pixels: str, says: str = "") -> Trial:
    file = f"{name}.png"
    made = f"Image.fromarray(np.ascontiguousarray({pixels})).save(data / {file!r})"
    measure = (
        f"edits.expect_same_picture(case, edits.read(case, {file!r}), "
        f"edits.scaled(PHOTO, 240, 160), {file!r}, tolerance=7, exact=False)"
    )
    return Trial(name, file, made, measure, says)


def palette(name: str, pixels: str, says: str = "") -> Trial:
    file = f"{name}.png"
    made = f"Image.fromarray(np.ascontiguousarray({pixels})).save(data / {file!r})"
    measure = f"palettes.expect_palette_of(case, edits.read(case, {file!r}), SCENE, {file!r})"
    return Trial(name, file, made, measure, says)


def film(name: str, rate: str, says: str = "") -> Trial:
    file = f"{name}.mp4"
    return Trial(
        name, file, f"animate(str(data / {file!r}), {rate})", f"expect_film(case, {file!r})", says
    )


def saved(name: str, how: str, says: str = "") -> Trial:
    """The photograph turned left, saved with the options `how`."""
    file = f"{name}.png"
    made = f"PAGE.rotate(90, expand=True).save(data / {file!r}, {how})"
    return Trial(
        name, file, made, f"edits.expect_turned(case, {file!r}, PHOTO, ['turned left'])", says
    )


GAMMA = "(i := PngImagePlugin.PngInfo(), i.add(b'gAMA', bytes([0, 0, 177, 143])))[0]"
CENTRES = "palettes.main_colours(palettes.sample(SCENE), 6)"
TRIALS = [
    turned("turned-left", "np.rot90(PHOTO)"),
    turned("turned-right", "np.rot90(PHOTO, 3)", "is the input turned right"),
    turned("not-turned", "PHOTO", "is the input unchanged"),
    turned("turned-within-frame", "PAGE.rotate(90)", "not like the input however turned"),
    turned("turned-one-pixel-off", "np.roll(np.rot90(PHOTO), 1, 0)", "1 px down"),
    resized("resized-nearest", "cv2.resize(PHOTO, (240, 160), interpolation=cv2.INTER_NEAREST)"),
    resized("resized-area", "cv2.resize(PHOTO, (240, 160), interpolation=cv2.INTER_AREA)"),
    resized("cropped-to-size", "PHOTO[80:240, 120:360]", "mean difference"),
    resized("resized-blue-first", "PAGE.resize((240, 160)).getchannel('B')", "mean difference"),
    picture("darker", "ImageEnhance.Brightness(PAGE).enhance(0.5)", "expect_kept"),
    picture("wrapped-round", "PHOTO - np.uint8(90)", "expect_kept", "correlation"),
    picture("blurred", "PAGE.filter(ImageFilter.GaussianBlur(5))", "expect_kept", "same detail"),
    picture("grey", "np.repeat(GREY[..., None], 3, -1)", "expect_kept", "same colours"),
    picture("paler", "ImageEnhance.Color(PAGE).enhance(0.5)", "expect_paler"),
    picture("not-paler", "PHOTO", "expect_paler", "colourfulness"),
    picture("paler-and-darker", "CLIP(FLOAT * 0.5)", "expect_paler", "mean brightness"),
    picture("flat", "CLIP(FLOAT * 0.4 + 80)", "expect_paler", "spread of the brightness"),
    picture("gaussian", "PAGE.filter(ImageFilter.GaussianBlur(3))", "expect_blur"),
    picture("gaussian-cut-off", "cv2.GaussianBlur(PHOTO, (5, 5), 0)", "expect_blur"),
    picture("box", "cv2.blur(PHOTO, (9, 9))", "expect_blur", "0."),
    picture("median", "cv2.medianBlur(PHOTO, 9)", "expect_blur", "0."),
    picture("poisson", "CLIP(RNG.poisson(FLOAT))", "expect_growth"),
    picture("poisson-coarse", "CLIP(RNG.poisson(FLOAT / 4) * 4)", "expect_growth"),
    picture("normal", "CLIP(FLOAT + RNG.normal(0, 9, FLOAT.shape))", "expect_growth", "growth"),
    picture("stacked", "stack(PHOTO, OTHER, 480)", "expect_both"),
    picture(
        "stacked-small",
        "Image.fromarray(stack(PHOTO, OTHER, 480)).resize((240, 310))",
        "expect_both",
    ),
    picture("stacked-cut-off", "stack(PHOTO, OTHER, 480)[:, :400]", "expect_both", "is whole"),
    picture("stacked-mirrored", "stack(PHOTO[:, ::-1], OTHER, 480)", "expect_both", "not found"),
    picture("words", "lettered(' '.join(WORDS), 30)", "expect_words"),
    picture("words-in-two-lines", "lettered('Harbour' + chr(10) + 'at Dawn', 28)", "expect_words"),
    picture("other-words", "lettered('Garden in Dusk', 30)", "expect_words", "words"),
    palette("swatches", f"strip({CENTRES})"),
    palette("photograph", "SCENE", "shows no palette"),
    palette("few-colours", "Image.fromarray(SCENE).quantize(6).convert('RGB')", "shows no palette"),
    palette("foreign-swatches", "strip([(255, 0, 255), (0, 255, 0), (255, 255, 0)])", "not in it"),
    picture("cut-clear", "cut((0, 0, 0, 0))", "expect_cut"),
    picture("cut-white", "cut((255, 255, 255, 255))", "expect_cut"),
    picture("cut-opaque", "PHOTO", "expect_cut", "background removed"),
    picture("cut-empty", "PHOTO * 0", "expect_cut", "foreground kept"),
    picture("edges", "cv2.Canny(GREY, 80, 160)", "expect_edges"),
    picture("edges-dark-on-light", "255 - cv2.Canny(GREY, 80, 160)", "expect_edges"),
    picture("edges-elsewhere", "cv2.Canny(GREY, 80, 160)[::-1]", "expect_edges", "does not show"),
    picture("edges-none", "GREY", "expect_edges", "does not show"),
    picture("edges-sharpened", "PAGE.filter(ImageFilter.SHARPEN)", "expect_edges", "not show"),
    picture(
        "notched-in-a-frame",
        "framed([(300, 160), (380, 100), (440, 180), (300, 360), (160, 180), (220, 100)])",
        "expect_notch",
    ),
    picture(
        "pointed-in-a-frame", "framed([(300, 90), (440, 180), (160, 180)])", "expect_notch", "notch"
    ),
    film("film", "10"),
    film("film-too-fast", "30", "length in seconds"),
    saved("saved-optimised", "optimize=True"),
    saved("saved-animated", "save_all=True, append_images=[PAGE.rotate(90)]", "an animation"),
    saved("saved-with-a-profile", "icc_profile=plain_profile()"),
    saved("saved-with-a-profile-of-gamma-2.2", "icc_profile=with_curve(plain_profile(), 2.2)"),
    saved("saved-with-its-gamma", f"pnginfo={GAMMA}"),
    *[
        Trial(
            name,
            f"{name}.jpg",
            f"PAGE.save(data / '{name}.jpg', quality=95, {how})",
            f"edits.read(case, '{name}.jpg', 'JPEG')",
            says,
        )
        for name, how, says in (
            ("jpeg", "exif=exif_of(1)", ""),
            ("jpeg-with-notes", "xmp=b'<exif:ExifVersion>0231</exif:ExifVersion>'", ""),
            ("jpeg-in-scans", "progressive=True, dpi=(300, 300), comment=b'made here'", ""),
        )
    ],
    turned("turned-left-with-a-box", "boxed(np.rot90(PHOTO))", "in the worst part"),
    resized("resized-by-the-nearest-pixel", "PAGE.resize((240, 160), 0)"),
    picture("part", "PHOTO[40:240, 60:400]", "expect_part"),
    picture("code", "code(0, 255, 8)", "expect_code"),
    picture("code-of-two-pixels", "code(0, 255, 3)", "expect_code"),
    picture("code-twice", "np.hstack([code(0, 255, 8), code(0, 255, 8)])", "expect_code"),
    picture("box-for-edges", "box_around()", "expect_edges", "does not show"),
    picture("heart-in-pink", "heart('pink')", "expect_notch"),
    picture("heart-unseen", "heart('#ffffde')", "expect_notch", "notch"),
]
IS_CHINESE = any(Path("/usr/share/fonts").rglob("*CJK*.ttc"))
if IS_CHINESE:
    TRIALS += [
        picture("characters", "lettered(TEXT, 40, cjk())", "expect_characters"),
        picture("other-characters", "lettered('川高水天', 40, cjk())", "expect_characters", "川"),
        picture("boxes", "lettered(TEXT, 40)", "expect_characters", "?"),
    ]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Assertion]:
    folder: Path = tmp_path_factory.mktemp("edits")
    return asyncio.run(try_out(TRIALS, SETUP, folder, timeout_s=120.0))


def test_edited_picture(found: dict[str, Assertion], subtests: pytest.Subtests) -> None:
    for trial in TRIALS:
        with subtests.test(trial=trial):
            expect_as_told(trial, found[trial.name])
