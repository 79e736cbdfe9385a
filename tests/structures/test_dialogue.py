"""When a span is latent."""

from __future__ import annotations

import pytest

from whence.structures.dialogue import Span


@pytest.mark.parametrize(
    "span, latent",
    [
        (Span("rain"), True),
        (Span("rain", 0, 4), False),
        (Span("rain", 0), False),  # in a turn, nobody says where
        (Span("rain", None, 4), True),  # a place in no turn is none
    ],
)
def test_is_latent(span, latent):
    assert span.is_latent is latent
