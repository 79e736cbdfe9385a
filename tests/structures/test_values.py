"""What holds for every structure: it is a frozen value."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil

import pytest

import whence.structures

STRUCTURES = [
    value
    for module in pkgutil.iter_modules(whence.structures.__path__, "whence.structures.")
    for value in vars(importlib.import_module(module.name)).values()
    if dataclasses.is_dataclass(value) and isinstance(value, type) and value.__module__ == module.name
]


def test_the_modules_were_found():
    assert len(STRUCTURES) > 30


@pytest.mark.parametrize("structure", STRUCTURES, ids=lambda structure: structure.__qualname__)
def test_a_structure_is_a_frozen_value_with_a_contract(structure: type):
    # PEP 557: `frozen` and `eq` are what makes equal content equal, and content final.
    parameters = structure.__dataclass_params__
    assert (parameters.frozen, parameters.eq) == (True, True)
    assert structure.__doc__
    assert not structure.__doc__.startswith(f"{structure.__name__}("), "the docstring that dataclass makes up"
