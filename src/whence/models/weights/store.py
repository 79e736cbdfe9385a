"""The folder of weights on this machine: where it is, what is there, and in what state."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path
from typing import Any, Literal

from whence.errors import MissingDataError, WhenceError
from whence.files import digest_of, dump_json, read_json, write_text
from whence.models.weights.catalogue import WEIGHTS, Weights

CARD = "card.json"
"""The file beside the weights that says what they are and where they came from."""

State = Literal["missing", "incomplete", "unverified", "verified"]
"""What is here of some weights. `verified`: nothing changed since all digests were checked."""


def models_folder() -> Path:
    """The folder of weights: `WHENCE_MODELS`, else the user's cache folder (which may not exist yet)."""
    if named := os.environ.get("WHENCE_MODELS"):
        return Path(named).expanduser().absolute()
    # The XDG specification: a relative path there is invalid and must be ignored.
    shared = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (shared if shared.is_absolute() else Path.home() / ".cache") / "whence" / "models"


def is_here(weights: Weights, folder: Path) -> bool:
    """Whether all files are in the folder of weights, by their sizes; `is_intact` checks digests."""
    own = folder / weights.folder_name
    paths = [(own / file.name, file.size) for file in weights.files]
    return all(path.is_file() and path.stat().st_size == size for path, size in paths)


def is_intact(weights: Weights, folder: Path) -> bool:
    """Whether all files are in the folder of weights with the digests they must have."""
    own = folder / weights.folder_name
    return is_here(weights, folder) and all(digest_of(own / file.name) == file.sha256 for file in weights.files)


def verify(weights: Weights, folder: Path) -> bool:
    """Whether weights are intact; if so, their card says from now on that they were checked."""
    if not is_intact(weights, folder):
        return False
    own = folder / weights.folder_name
    if state_of(weights, folder) != "verified":
        write_text(own / CARD, dump_json({**_card(own), "checked": checked_times(weights, own)}) + "\n")
    return True


def checked_times(weights: Weights, own: Path) -> dict[str, int]:
    """When each file in the folder of some weights was last changed, for the card of files that were checked."""
    return {file.name: (own / file.name).stat().st_mtime_ns for file in weights.files}


def state_of(weights: Weights, folder: Path) -> State:
    """What is here of some weights, without reading them: by sizes and times of change."""
    own = folder / weights.folder_name
    if not is_here(weights, folder):
        return "incomplete" if partial_folder(weights, folder).is_dir() or own.is_dir() else "missing"
    return "verified" if _card(own).get("checked") == checked_times(weights, own) else "unverified"


def partial_folder(weights: Weights, folder: Path) -> Path:
    """Where what has arrived is kept until everything is there."""
    return folder / ".partial" / weights.folder_name


def arrived_size(weights: Weights, folder: Path) -> int:
    """How many bytes of weights that are not complete have arrived, and will not be fetched again."""
    partial = partial_folder(weights, folder)
    return sum(path.stat().st_size for path in (partial / "archive", *partial.glob("hub/*")) if path.is_file())


def size_on_disk(weights: Weights, folder: Path) -> int:
    """How many bytes these weights take, complete or not, with what was made from them."""
    own = (folder / weights.folder_name, partial_folder(weights, folder))
    return sum(path.stat().st_size for at in own for path in at.rglob("*") if path.is_file())


def remove(weights: Weights, folder: Path) -> int:
    """Delete weights and what has arrived of them; returns how many bytes that freed."""
    size = size_on_disk(weights, folder)
    try:
        for own in (folder / weights.folder_name, partial_folder(weights, folder)):
            if own.is_dir():
                shutil.rmtree(own)
    except OSError as error:
        raise WhenceError(f"{error.filename or folder}: cannot be deleted: {error.strerror or error}") from None
    return size


def folder_of(weights: Weights) -> Path:
    """Where the files of these weights are; the error says how to get them."""
    folder = models_folder()
    if not is_here(weights, folder):
        raise MissingDataError(
            f"{folder / weights.folder_name}: the weights {weights.model} are not here. "
            f"Get them with: whence models get {weights.name}"
        )
    return folder / weights.folder_name


def path_of(weights: Weights) -> Path:
    """What programs are given to load these weights: the GGUF file, or the folder."""
    folder, model = folder_of(weights), weights.files[0].name
    return folder / model if model.endswith(".gguf") else folder


def located(weights: str) -> Path:
    """The path of weights that a user named: by a name of the catalogue, else as a file or folder."""
    if weights in WEIGHTS:
        return path_of(WEIGHTS[weights])
    path = Path(weights).expanduser()
    if not path.exists():
        raise MissingDataError(f"{weights}: no such file or folder, and none of the weights {', '.join(WEIGHTS)}")
    return path


def encoder_folder() -> Path:
    """Where the files of the embedded encoder are."""
    return folder_of(WEIGHTS["encoder"])


def reader_folder() -> Path:
    """Where the files of the embedded reader are."""
    return folder_of(WEIGHTS["reader"])


def writer_folder() -> Path:
    """Where the files of the small embedded language model are."""
    return folder_of(WEIGHTS["writer"])


def vectors_folder() -> Path:
    """Where the files of the embedded word vectors are."""
    return folder_of(WEIGHTS["vectors"])


def name_of(folder: Path) -> str:
    """A model's name and the start of the digest of its weights, for signatures: `all-MiniLM-L6-v2@53aa5117`.

    The digest is that of the files as they are now, not of what a card says about them.
    """
    files = sorted(folder.glob("*.safetensors")) or sorted(folder.glob("pytorch_model*.bin"))
    if not files:
        raise MissingDataError(f"{folder}: no weights there (model.safetensors)")
    digests = [digest_of(file) for file in files]
    whole = digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()
    return f"{_card(folder).get('model', folder.resolve().name)}@{whole[:8]}"


def _card(folder: Path) -> dict[str, Any]:
    card = read_json(folder / CARD) if (folder / CARD).is_file() else None
    return card if isinstance(card, dict) else {}
