"""The fonts of this machine in which words of a picture may be drawn."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

INSTALLED = Path("/usr/share/fonts")
CHINESE_FONTS = INSTALLED / "opentype/noto"
FONTS = (".ttf", ".ttc", ".otf")


@cache
def fonts(is_chinese: bool, noted: str) -> tuple[str, ...]:
    """The noted font, if it is one of this machine's, then those of clouds and charts here."""
    own = Path(noted).resolve() if noted and "\0" not in noted else Path()
    folders = (INSTALLED, folder_of("wordcloud"), folder_of("matplotlib"))
    is_known = own.suffix in FONTS and any(own.is_relative_to(f.resolve()) for f in folders)
    chinese = sorted(CHINESE_FONTS.glob("*CJK*.ttc"))
    latin = [
        folder_of("wordcloud") / "DroidSansMono.ttf",
        folder_of("matplotlib") / "mpl-data/fonts/ttf/DejaVuSans.ttf",
    ]
    offered = [*([own] if is_known else []), *([] if is_chinese else latin), *chinese]
    return tuple(str(path) for path in dict.fromkeys(offered) if path.is_file())


def folder_of(library: str) -> Path:
    """The folder of an installed library, which is not imported for that."""
    spec = find_spec(library)
    return Path(spec.origin).parent if spec and spec.origin else Path()
