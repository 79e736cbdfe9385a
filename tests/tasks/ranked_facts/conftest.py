"""Models of nothing, as the tests of models have them."""

from tests.models.conftest import tiny_writer

__all__ = ["tiny_writer"]
