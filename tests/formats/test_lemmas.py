from __future__ import annotations

import pytest

from whence.formats.lemmas import lemma


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("plants", "plant"),
        ("Molecules", "molecule"),
        ("were", "be"),
        ("children", "child"),
        ("qwxz", "qwxz"),
        ("", ""),
    ],
)
def test_lemma(word: str, expected: str) -> None:
    assert lemma(word) == expected
