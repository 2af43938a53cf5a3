"""What a match by mail took, as lines."""

from __future__ import annotations

from collections.abc import Iterator

from tools.by_mail.match import PlayedByMail


def lines_of(played: PlayedByMail) -> Iterator[str]:
    """The figures of a match: mails each way, kB of each kind, seconds."""
    got = sum(played.kinds.values())
    yield f"{played.written} mails from the players, {got} to them, {played.replies} of the former moves."
    yield f"{played.seconds:.1f} s, {played.seconds / max(1, played.replies):.2f} s a reply."
    for kind, sizes in sorted(played.sizes.items(), key=lambda each: -len(each[1])):
        middle, largest = sorted(sizes)[len(sizes) // 2] / 1000, max(sizes) / 1000
        yield f"{len(sizes):5} {kind:<24} {middle:7.1f} kB at the median, {largest:7.1f} kB at most"
    yield f"Mails that came twice: {sum(played.repeated.values()) or 'none'}."
