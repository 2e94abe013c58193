"""A file that is only written, whose content is taken out while it grows."""

from __future__ import annotations

import io


class Pieces(io.RawIOBase):
    """A file that can only be written on; what was written is taken out piece by piece."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        piece = bytes(data)  # type: ignore[call-overload]
        self.pieces.append(piece)
        return len(piece)

    def take(self) -> bytes:
        taken, self.pieces = b"".join(self.pieces), []
        return taken
