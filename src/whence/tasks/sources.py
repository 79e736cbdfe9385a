"""Where published data comes from: addresses, digests, licences. `whence.tasks.fetching` reads this table.

No address could be called while this was written. An address is `verified` when it was seen in a stored
public copy: the path in the publisher's repository at that commit, or the publisher's (or a well-known
project's) own download script. Digests are given for files whose copy agreed with the published one in
length and ending, or whose digest others published (`checksums.txt`); `None` elsewhere: see "trust on first
use" in `whence.tasks.fetching.records`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Literal
from urllib.parse import quote

from whence.errors import MissingDataError, UsageError
from whence.files import read_lines

Kind = Literal["file", "zip", "tar", "gzip"]
"""What the server sends: the file itself, an archive with members, or one compressed file."""

_CHECKSUMS = Path(__file__).with_name("checksums.txt")


@dataclass(frozen=True)
class RemoteFile:
    """A file as loaders find it: its path below the data folder, and its digest and size where they are known."""

    path: str
    sha256: str | None
    size: int | None


@dataclass(frozen=True)
class RemoteFolder:
    """All files of one archive folder that end in `suffix`; `count` is how many there must be, where known."""

    path: str
    suffix: str
    count: int | None

    def holds(self, path: str) -> bool:
        """Whether a path below the data folder is that of one of its files."""
        return str(PurePosixPath(path).parent) == self.path and path.endswith(self.suffix)


@dataclass(frozen=True)
class Download:
    """One address and what is taken from it.

    Each member is a name in the archive ("" for `file` and `gzip`) and where it goes. `size` is the bytes to
    transfer. `verified=False` means: address not confirmed against a stored copy. `sha256` is that of the
    archive, where its publisher or a project that pins it says so.
    """

    url: str
    members: tuple[tuple[str, RemoteFile | RemoteFolder], ...]
    kind: Kind
    size: int | None
    verified: bool = True
    sha256: str | None = None


@dataclass(frozen=True)
class Source:
    """A data set: who publishes it, on what terms, and how it is had.

    `unavailable` names files that loaders know but that have no stable public address, each with the reason.
    """

    name: str
    title: str
    publisher: str
    homepage: str
    licence: str
    licence_text: str
    citation: str
    downloads: tuple[Download, ...]
    unavailable: tuple[str, ...] = ()

    def targets(self) -> Iterator[RemoteFile | RemoteFolder]:
        """Everything that fetching this source puts into the data folder."""
        for download in self.downloads:
            for _, target in download.members:
                yield target


def data_folder() -> Path:
    """The folder of published data: `WHENCE_DATA`, else the user's data folder (which may not exist yet)."""
    if named := os.environ.get("WHENCE_DATA"):
        folder = Path(named).expanduser()
        if not folder.is_dir():
            raise MissingDataError(
                f"WHENCE_DATA names {named}, which is no folder: create it or correct the variable"
            )
        return folder
    # The XDG specification: a relative path there is invalid and must be ignored.
    shared = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (shared if shared.is_absolute() else Path.home() / ".local" / "share") / "whence"


@cache
def all_sources() -> dict[str, Source]:
    """Every data set that `whence data get` knows, by name. Digests are read at the first call."""
    return {source.name: source for source in (described() for described in _SOURCES)}


def source_named(name: str) -> Source:
    """The source of that name; the error lists those there are."""
    sources = all_sources()
    if name not in sources:
        raise UsageError(f"unknown data source {name!r}: there are {', '.join(sorted(sources))}")
    return sources[name]


@cache
def _known() -> dict[str, RemoteFile]:
    """Files whose digest and size are known, by path."""
    rows = (line.split() for _, line in read_lines(_CHECKSUMS) if line and not line.startswith("#"))
    return {path: RemoteFile(path, digest, int(size)) for digest, size, path in rows}


def _file(path: str) -> RemoteFile:
    return _known().get(path, RemoteFile(path, None, None))


def _raw(repository: str, commit: str, source: str, path: str, *, verified: bool = True) -> Download:
    """One file of a GitHub repository, as it is at a commit."""
    url = f"https://raw.githubusercontent.com/{repository}/{commit}/{quote(source)}"
    target = _file(path)
    return Download(url, (("", target),), "file", target.size, verified)


_ATTRIBUTION = (
    "Use, share and adapt it for any purpose, with credit to the authors, a link to the licence and a note of "
    "what you changed."
)
_SHARE_ALIKE = f"{_ATTRIBUTION} What you build from it and pass on must carry the same licence."


def _explagraphs() -> Source:
    repository = "swarnaHub/ExplaGraphs"
    # train and dev: the repository's README at this commit names them; the rest are stored at theirs.
    commits = {
        "train.tsv": "67ecab19d9a13ab91e09e99bd94e0480b705c1b7",
        "dev.tsv": "67ecab19d9a13ab91e09e99bd94e0480b705c1b7",
        "test_no_labels.tsv": "bbb2b5c276ed53cc42d92eaa1ff413100a01a206",
        "refinement_graphs_train.tsv": "82a139cc92037b7e449b57f751f138f73942a0d6",
        "relations.txt": "eb4e3256e6986b3bed8f628f3886dccc899269b7",
        "internal_nodes_dev.txt": "b63f0d38686f6c78ccd6eeaaf8c894c8c8b7bba2",
        "external_nodes_dev.txt": "b63f0d38686f6c78ccd6eeaaf8c894c8c8b7bba2",
    }
    downloads = tuple(
        _raw(repository, commit, f"data/{name}", f"explagraphs/{name}") for name, commit in commits.items()
    )
    return Source(
        "explagraphs",
        "ExplaGraphs: stances explained by commonsense graphs",
        "Saha, Yadav, Bauer and Bansal (UNC Chapel Hill)",
        "https://explagraphs.github.io/",
        "CC BY-SA 4.0 (data), MIT (code)",
        f"{_SHARE_ALIKE} The authors withhold the graphs of the test set and score predictions on request.",
        "Saha et al. 2021. ExplaGraphs: An Explanation Graph Generation Task for Structured Commonsense "
        "Reasoning. EMNLP.",
        downloads,
    )


def _entailmentbank() -> Source:
    repository = "allenai/entailment_bank"
    first, second = "2b954021b912cfbfb664baa08f0feedf8a3937af", "ada61c597d714665761f17e4b278023f4a9f4e5f"
    public = "data/public_dataset/entailment_trees_emnlp2021_data_v2"
    processed = "data/processed_data"
    corpus = "worldtree_corpus_sentences_extended.json"
    # Tasks 1 and 2: the "slots" files are byte for byte those of the public data set (version 2).
    rows = [
        (first, f"{processed}/slots/task_1-slots/dev.jsonl", "task_1/dev.jsonl"),
        (second, f"{processed}/slots/task_1-slots/test.jsonl", "task_1/test.jsonl"),
        (first, f"{processed}/slots/task_2-slots/dev.jsonl", "task_2/dev.jsonl"),
        (first, f"{processed}/slots/task_2-slots/test.jsonl", "task_2/test.jsonl"),
        (second, f"{public}/dataset/task_3/dev.jsonl", "task_3/dev.jsonl"),
        (first, f"{public}/dataset/task_3/test.jsonl", "task_3/test.jsonl"),
        (second, f"{processed}/slots/task_3-slots/dev.jsonl", "task_3/dev.slots.jsonl"),
        (second, f"{processed}/angles/task_1/train.jsonl", "task_1/train.angles.jsonl"),
        (first, f"{processed}/angles/task_2/train.jsonl", "task_2/train.angles.jsonl"),
        (first, f"{processed}/angles/task_3/train.jsonl", "task_3/train.angles.jsonl"),
        (second, f"{public}/supporting_data/{corpus}", corpus),
    ]
    stored = [_raw(repository, commit, source, f"entailmentbank/{path}") for commit, source, path in rows]
    # The folder is stored, these files of it are not (they are too large for the index).
    original = [
        _raw(
            repository,
            second,
            f"{public}/dataset/task_{number}/train.jsonl",
            f"entailmentbank/task_{number}/train.jsonl",
            verified=False,
        )
        for number in (1, 2, 3)
    ]
    downloads = (*stored, *original)
    return Source(
        "entailmentbank",
        "EntailmentBank: answers explained by entailment trees (version 2)",
        "Allen Institute for AI",
        "https://allenai.org/data/entailmentbank",
        "CC BY 4.0",
        f"{_ATTRIBUTION} Its questions come from ARC and its facts from WorldTree, which have terms of their own.",
        "Dalvi et al. 2021. Explaining Answers with Entailment Trees. EMNLP.",
        downloads,
        ("version 3 of the data (May 2022): no address of it could be confirmed; see the homepage",),
    )


def _cider() -> Source:
    repository = "declare-lab/CIDER"
    tasks, spans = "fddbd00bd8a917a0fb239dd4988cb6e9b9282c93", "a00df70e526d049599d827cb782d476a52321587"
    # Stored commits hold older dialogues without positions; the branch is what public code reads.
    downloads = [_raw(repository, "main", "data/cider_main.json", "cider/cider_main.json")]
    relation = "code/relation_prediction/datasets"
    downloads.append(
        _raw(repository, tasks, f"{relation}/csk_rp_noContext/relations.txt", "cider/relation/relations.txt")
    )
    stored_spans = {"fold1_train.json", "fold1_test.json", "fold2_train.json", "fold4_train.json"}
    for part in ("train", "test"):
        for fold in range(5):
            name = f"{part}_iter35_fold{fold}.csv"
            downloads.append(_raw(repository, tasks, f"code/mcq/dataset/{name}", f"cider/multichoice/{name}"))
        for fold in range(1, 6):
            ids, lemmas, span = f"fold{fold}_{part}.txt", f"fold{fold}_{part}_lemma.csv", f"fold{fold}_{part}.json"
            downloads += [
                _raw(repository, tasks, f"code/mcq/dataset/ids/{ids}", f"cider/folds/{ids}"),
                _raw(repository, tasks, f"{relation}/csk_rp/{lemmas}", f"cider/relation/{lemmas}"),
                _raw(
                    repository,
                    spans,
                    f"code/span_extraction/data/{span}",
                    f"cider/span/{span}",
                    verified=span in stored_spans,
                ),
            ]
    return Source(
        "cider",
        "CIDER: dialogues explained by commonsense triplets",
        "Ghosal, Hong, Shen, Majumder, Mihalcea and Poria (DeCLaRe Lab)",
        "https://github.com/declare-lab/CIDER",
        "MIT",
        "Use, copy, change and pass it on freely as long as the copyright notice stays with it; no warranty. "
        "The dialogues come from DailyDialog, MuTual and DREAM, which have terms of their own.",
        "Ghosal et al. 2021. CIDER: Commonsense Inference for Dialogue Explanation and Reasoning. SIGDIAL.",
        tuple(downloads),
    )


def _art() -> Source:
    names = [f"{part}{ending}" for part in ("train", "dev", "test") for ending in (".jsonl", "-labels.lst")]
    release = Download(
        # The address of get-data.sh in allenai/abductive-commonsense-reasoning.
        "https://storage.googleapis.com/ai2-mosaic/public/abductive-commonsense-reasoning-iclr2020/anli.zip",
        tuple((f"anli/{name}", _file(f"art/{name}")) for name in names),
        "zip",
        5415361,
        sha256="4e00551fd9ee04c92e823a8fe078e017c78b35739b36e8f9f122b4bf8a84b16b",
    )
    # The generation references as Diffusion-LM distributes them ("cleaned up version of the data").
    references, commit = "datasets/ROCstory/anlg/anlg", "1b8b3dba3d98ad5c492b1e7c9d338b24e8313ebd"
    downloads = (
        release,
        *(
            _raw("XiangLi1999/Diffusion-LM", commit, f"{references}/{name}", f"art/anlg/{name}")
            for name in ("dev_cleanup.json", "test_cleanup_ref.json")
        ),
    )
    return Source(
        "art",
        "ART: abductive inference (anli) and generation (anlg) over two observations",
        "Allen Institute for AI",
        "https://github.com/allenai/abductive-commonsense-reasoning",
        "not stated by the publisher",
        "The publisher states no licence for the data (the code is Apache-2.0). Without one, assume research use "
        "only and do not pass it on; ask the authors for more. The generation references come from the "
        "Diffusion-LM repository, which states none for them either.",
        "Bhagavatula et al. 2020. Abductive Commonsense Reasoning. ICLR.",
        downloads,
        (
            "art/chaosNLI_alphanli.jsonl: 100 votes an item (ChaosNLI, CC BY-NC 4.0: not for commercial use). "
            "Its only address is a Dropbox link on https://github.com/easonnie/ChaosNLI, reported deleted in 2026",
            "art/train_part.jsonl, art/pools_part.jsonl: excerpts made for whence's tests; train.jsonl has all",
        ),
    )


def _worldtree() -> Source:
    root = "WorldtreeExplanationCorpusV2.1_Feb2020"
    corpus = Download(
        f"https://cognitiveai.org/dist/{root}.zip",
        (
            *(
                (f"{root}/questions/questions.{part}.tsv", _file(f"worldtree/questions.{part}.tsv"))
                for part in ("train", "dev", "test")
            ),
            (f"{root}/tablestore/v2.1/tableindex.txt", _file("worldtree/tableindex.txt")),
            (f"{root}/tablestore/v2.1/tables", RemoteFolder("worldtree/tables", ".tsv", 81)),
        ),
        "zip",
        None,
    )
    ratings = Download(
        # The Makefile of cognitiveailab/tg2021task has the address (with http) and its .sha256 file the digest.
        "https://cognitiveai.org/dist/tg2021-alldata-evalperiod.zip",
        tuple(
            (f"data-evalperiod/wt-expert-ratings.{part}.json", _file(f"worldtree/wt-expert-ratings.{part}.json"))
            for part in ("train", "dev")
        ),
        "zip",
        None,
        sha256="bd63a8c18ea58b738a11ae1e96f458fd0863e297ac6b2e21046391331a743943",
    )
    kinds = "WorldTree-V2.1-TableKnowledgeTypes.tsv"
    commit = "1ad6ec5e99ea8b51c2a7721d0d97d22a530de012"
    downloads = (corpus, _raw("cognitiveailab/tg2021task", commit, kinds, f"worldtree/{kinds}"), ratings)
    return Source(
        "worldtree",
        "WorldTree V2.1: science questions with explanations, fact tables, expert ratings",
        "Jansen and others (University of Arizona, Cognitive AI Lab)",
        "https://cognitiveai.org/explanationbank/",
        "mixed: CC BY-SA 4.0 (tables, explanations); AI2 Mercury terms (questions)",
        f"Tables and explanations: {_SHARE_ALIKE} Mercury questions: not to be redistributed, non-commercial "
        "research only; the Allen Institute for AI alone hands them out, under the end-user agreement in the "
        "archive, which you accept by fetching them. Expert ratings: the shared task refers to these same terms.",
        "Xie et al. 2020. WorldTree V2. LREC; Jansen et al. 2021. On the Challenges of Evaluating Compositional "
        "Explanations in Multi-Hop Inference. EMNLP; Thayaparan et al. 2021. TextGraphs 2021 Shared Task.",
        downloads,
        ("worldtree/wt-expert-ratings.test.json: the shared task withheld the test ratings",),
    )


def _cosata() -> Source:
    commit = "642c3b9da8ae10d6d5e44eb74c0995c58b077c89"
    root = f"cosata-{commit}"
    words = "lemmatization-en.txt"
    downloads = (
        Download(
            # The whole repository: some 440 small files that we need, and solver output that we do not.
            f"https://github.com/clulab/cosata/archive/{commit}.zip",
            (
                (
                    f"{root}/patterns/worldtree-v2/automaticPlusManual",
                    RemoteFolder("cosata/patterns", ".iml", None),
                ),
                (f"{root}/annotation/sync-tablestore/tableindex.txt", _file("cosata/tablestore/tableindex.txt")),
                (
                    f"{root}/annotation/sync-tablestore/tables",
                    RemoteFolder("cosata/tablestore/tables", ".tsv", 82),
                ),
            ),
            "zip",
            None,
        ),
        _raw("michmech/lemmatization-lists", "f523b3170dba3f1ce24aade31c17f52fd790f7b4", words, f"cosata/{words}"),
    )
    return Source(
        "cosata",
        "CoSaTa: schemas over the WorldTree tables, and a word list for lemmas",
        "Jansen (University of Arizona); word list: Měchura",
        "https://github.com/clulab/cosata",
        "Apache-2.0; tables CC BY-SA 4.0; word list ODbL",
        "Schemas: use, change and pass on with the notice and a statement of changes. Tables (of WorldTree): "
        "credit and the same licence. Word list: credit, and a database made from it must be under ODbL too.",
        "Jansen 2020. CoSaTa: A Constraint Satisfaction Solver and Interpreted Language for Semi-Structured "
        "Tables of Sentences. EMNLP Demos.",
        downloads,
        (
            "cosata/solutions: an extract made for whence's tests; the repository holds the solver's full output",
            "the solver's own word list, which has 123 pairs more than the public one: no address is known; "
            "cosata/lemmatization-en.txt is fetched without them",
        ),
    )


def _atomic() -> Source:
    # Other projects pin 2347ce17... for the same archive at the author's former address; not known for this one.
    names = ("v4_atomic_trn.csv", "v4_atomic_dev.csv", "v4_atomic_tst.csv", "LICENSE")
    downloads = (
        Download(
            "https://storage.googleapis.com/ai2-mosaic/public/atomic/v1.0/atomic_data.tgz",
            tuple((name, _file(f"atomic/{name}")) for name in names),
            "tar",
            None,
        ),
    )
    return Source(
        "atomic",
        "ATOMIC: if-then inferences about everyday events (v4)",
        "Allen Institute for AI and University of Washington",
        "https://homes.cs.washington.edu/~msap/atomic/",
        "CC BY 4.0",
        f"{_ATTRIBUTION} Some events describe violence or prejudice, as the authors warn.",
        "Sap et al. 2019. ATOMIC: An Atlas of Machine Commonsense for If-Then Reasoning. AAAI.",
        downloads,
    )


def _conceptnet() -> Source:
    # Digests of the compressed files, as AI2's Rainbow pins them; it has none for the test file.
    digests = {
        "train100k.txt": "a44a27fc0c6f5d4a426a935cdb6c02c101efba69f34346b0b627ee7c7d17a64e",
        "dev1.txt": "b101d1b27d1862190674470911326297d0de5df58a36a2acd6c0f17b289a90fc",
        "dev2.txt": "fd3c7a41dd280581de03c1b62197fd1af5c1f810846dfed048d71f2cebd13ded",
        "test.txt": None,
    }
    downloads = tuple(
        Download(
            f"https://home.ttic.edu/~kgimpel/comsense_resources/{name}.gz",
            (("", _file(f"conceptnet/{name}")),),
            "gzip",
            None,
            sha256=digest,
        )
        for name, digest in digests.items()
    )
    return Source(
        "conceptnet",
        "ConceptNet: 100,000 English triples for knowledge-base completion",
        "Li, Taheri, Tu and Gimpel (TTI Chicago)",
        "https://home.ttic.edu/~kgimpel/commonsense.html",
        "CC BY-SA 4.0 (ConceptNet)",
        f"{_SHARE_ALIKE} This is the licence of ConceptNet; those who made this cut of it state none.",
        "Li et al. 2016. Commonsense Knowledge Base Completion. ACL; Speer et al. 2017. ConceptNet 5.5. AAAI.",
        downloads,
        (
            "conceptnet/train_old.txt, test_old.txt, valid.txt: such triples without confidence or label, from a "
            "later repository not found again; train100k.txt, dev1.txt, dev2.txt, test.txt are the published form",
        ),
    )


def _challenge300() -> Source:
    downloads = (
        _raw(
            "allenai/macaw",
            "68fdf26a153ae8fe6738401a979d52aa15f15166",
            "challenge300-probes-v1.jsonl",
            "challenge300/challenge300-probes-v1.jsonl",
        ),
    )
    return Source(
        "challenge300",
        "Challenge300: 300 probing questions",
        "Allen Institute for AI",
        "https://github.com/allenai/macaw",
        "Apache-2.0",
        "Use, change and pass it on for any purpose, with the licence, its notices and a statement of changes.",
        "Tafjord and Clark 2021. General-Purpose Question-Answering with Macaw. arXiv:2109.02593.",
        downloads,
    )


def _eqasc() -> Source:
    repository, commit = "harsh19/Reasoning-Chains-MultihopQA", "65e25d0f7b6f547f1694358d1cded40636b676e7"
    # The first has the git blob that a public project pins at this commit; the second is named by the code there.
    downloads = tuple(
        _raw(repository, commit, source, f"eqasc/{source.rsplit('/', 1)[1]}")
        for source in (
            "data/eobqa/obqa_chains.tsv.processed.tsv",
            "data/eqasc_perturbed/turk_modified_test.tsv",
        )
    )
    return Source(
        "eqasc",
        "eQASC: two-fact chains with votes on their validity (eOBQA and perturbed sets)",
        "Jhamtani and Clark (CMU, Allen Institute for AI)",
        "https://allenai.org/data/eqasc",
        "CC BY 4.0",
        _ATTRIBUTION,
        "Jhamtani and Clark 2020. Learning to Explain: Datasets and Models for Identifying Valid Reasoning "
        "Chains in Multihop Question-Answering. EMNLP.",
        downloads,
        ("eqasc_{train,dev,test}_grc.json: only in a Google Drive folder, which gives no stable address",),
    )


_SOURCES = (
    _explagraphs,
    _entailmentbank,
    _cider,
    _art,
    _worldtree,
    _cosata,
    _atomic,
    _conceptnet,
    _challenge300,
    _eqasc,
)
