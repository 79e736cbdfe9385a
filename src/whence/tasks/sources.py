"""Where published data comes from: addresses, digests, licences. `whence.tasks.fetch` reads this table.

No address could be called while this was written. An address is `verified` when it was seen in a stored
public copy: the path in the publisher's repository at that commit, or the publisher's (or a well-known
project's) own download script. Digests are given for files whose copy agreed with the published one in
length and ending, or whose digest others published; `None` elsewhere: see "trust on first use" in `fetch`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from whence.errors import MissingDataError, UsageError

Kind = Literal["file", "zip", "tar", "gzip"]
"""What the server sends: the file itself, an archive with members, or one compressed file."""


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


def source_named(name: str) -> Source:
    """The source of that name; the error lists those there are."""
    if name not in SOURCES:
        raise UsageError(f"unknown data source {name!r}: there are {', '.join(sorted(SOURCES))}")
    return SOURCES[name]


def _listing(folder: str, rows: str) -> dict[str, RemoteFile]:
    """Lines of `sha256 size path`, the path below `folder`."""
    files = {}
    for row in rows.split("\n"):
        if row:
            digest, size, path = row.split(" ")
            files[f"{folder}/{path}"] = RemoteFile(f"{folder}/{path}", digest, int(size))
    return files


_KNOWN: dict[str, RemoteFile] = {
    **_listing(
        "explagraphs",
        """
83eb96f38b1d91d0299924f6050c3ec173a7c5c5a7a3921908cc7fd46d27bba3 710566 train.tsv
1b7e069501cf6f2d7f5d98fe6f0950ee8bd9a0f1986054ecb23873854993745a 117361 dev.tsv
e36bdd57fb603e6c8fa8106ecce9dc881ca29aa732d37733293ec2b8e1f3af9f 42936 test_no_labels.tsv
2d5b1aee89988272a754c6a2fa28fb8de70bb62ab397bcb8432f0b7d81617584 947344 refinement_graphs_train.tsv
fa067901224e660573cb67ea691a96d3d21e20440f1f94ae26341ae645ab799d 339 relations.txt
353043a228e31c88ed29bfd5b3a579bd43c8212de66d3ca58d94f42b54f437bf 64563 internal_nodes_dev.txt
febbec7b481beb047c94978f2ee35437e918567f2f8a72b58736087b75e9afdc 23396 external_nodes_dev.txt
""",
    ),
    **_listing(
        "entailmentbank/task_1",
        """
a9779787851fcdf2cdd5841520deda73474ebc4915e562225744807b5d8d1f5d 970998 dev.jsonl
ae02515bf620f2cc865a4c6ed60adba595aba575e3ab471ecd27d65e6ff9c52f 1827479 test.jsonl
620f31c45f6c906012f27f926b1e9a1ed31573a463b0ed7ff842d84f1e42b713 1145405 train.angles.jsonl
""",
    ),
    **_listing(
        "entailmentbank/task_2",
        """
3271adc67c65149780adbd3729f6b19404ff288e1849905fc16c1c22814a28f7 1537951 dev.jsonl
8bba350ef207f92f9d153e3b1651d90535586a157e444fe037756a8c1cb84f0f 2872524 test.jsonl
80dfafd7242d1659426fe8c192d30da9ed6492d855fcdf51e505700802aadb56 2790830 train.angles.jsonl
""",
    ),
    **_listing(
        "entailmentbank/task_3",
        """
9a0fbf937661f13dc44d533623f241c624f5dadd82dac9512a4652dbb26a883b 1059882 dev.jsonl
9fc6e6b2139c81fc81fc27eabb1a31122b407478db5578a3480201b1929da94d 1058857 dev.slots.jsonl
0234caf458366b5a2f455f77801129f6db2497e7007a95ae1b878f0bf6be0ddb 1958664 test.jsonl
d30d21088e6b9d838cc9615d95e85acdab681347741e0da2746ba6d9efb6ca24 2396406 train.angles.jsonl
""",
    ),
    "entailmentbank/worldtree_corpus_sentences_extended.json": RemoteFile(
        "entailmentbank/worldtree_corpus_sentences_extended.json",
        "7afb6b0464e02b83a29615b06cb8a28002625dbbf707f6c0a86bfd450f5aefcb",
        909930,
    ),
    **_listing(
        "cider",
        """
16f64c64694dc4565eed32829cd56592246e88c1ef274584fb807f9d4906b4fd 2152967 cider_main.json
da94da024cd7a8cc285460c8bbe523fa69acf6052f6fb1a2d671dabc75a89eff 2379 folds/fold1_test.txt
7a90b97c1e30d4ced5d3c6a0e0246d06d86b4b36ad6b5cbaa436b57dbe1b1c7d 8874 folds/fold1_train.txt
30ed9ad60d738cb4da6093ce71f47c16049eea0ad9fc5fb33acde2313ee927b0 2213 folds/fold2_test.txt
a6aba5e36b434ce5fc863fc53c723501c3e5b653399db6927dabd5f9e3423f33 9040 folds/fold2_train.txt
35a324dba02626651e08f03e3531a6295420dd0de8aa0a3a196589b1ef18ae04 2324 folds/fold3_test.txt
6bdf6ba333626e705d7dc8966f75b2c39dfcf87baab576056ff1cecb75770339 8929 folds/fold3_train.txt
8d8bac896ec09f8e6d8b0e357e85d92a0b179dc91afbd647ea51883f67d08321 2162 folds/fold4_test.txt
4b491a431f498f1e90973a4ee14a9fddb02af3c4168f8d431660ec365ce4b21a 9091 folds/fold4_train.txt
310f388def2e176bda83db0172424b87ebbba24c00c6671451fae2c4e9c09c93 2175 folds/fold5_test.txt
dea41d3b5a5a3f25225cb5e125407c7ae7c1d581da695cd2c1bfa32ab7d56bb4 9078 folds/fold5_train.txt
4c1f7f11542daeca21da1fef10abd0069659737b596156b6e407dabee8853805 659240 multichoice/test_iter35_fold0.csv
9f5eed662675c7ed42d5a250ced8081ec5f117e6640e2ab1a24c3a5c8f83186f 650607 multichoice/test_iter35_fold1.csv
1707024bc42172a9b1c136c15fa44d16e304bd25ae5ac9631dd7aea4ff3b4286 672350 multichoice/test_iter35_fold2.csv
8b95f60565afc7bda71553c6225fedc42aed0c0d5945095605850e0eeaec311f 625795 multichoice/test_iter35_fold3.csv
c48e045fae6c9feb39761713711e779bc31587c6a0d0643808013862625611ec 688992 multichoice/test_iter35_fold4.csv
2acf08af248c77d639151ace5755dfe5db7984f70d28d15aa4c8bfa002966775 2637435 multichoice/train_iter35_fold0.csv
a0474c17b6577a871e43e7227271e08f1b437ba9a18298fe9a1942b0b9662304 2646068 multichoice/train_iter35_fold1.csv
1c43577e729f0c6a17906e0aa35a44c8e21d55dccc84a3b00a947fd2be89d249 2624325 multichoice/train_iter35_fold2.csv
d296cfc66acb2d1d709026e59d1204976669daf7f82b0181a9e256b883fa9eea 2670880 multichoice/train_iter35_fold3.csv
00ed3db5e407cefe15d0289aebbb1096d558cbac41404da21a61a507db514ba9 2607683 multichoice/train_iter35_fold4.csv
b15c4d2f68afa552115fbc9629a2a9c6823223df577e59ce700d169aa08430b9 535721 relation/fold1_test_lemma.csv
a00e27b416aecc94c5929e1bb536d3d933a1d0f1f8191d7d43324b08e49f1b08 386 relation/relations.txt
7ebfee5e8e10fae5d3e1760c554ce9d9de62c24b5ef65d29286932e15b7a4711 873220 span/fold1_test.json
9f5387bf9b43144e70a51b3b8cc9b84f377ff7a8c81ac92d57a02a9f44c7c48e 3470882 span/fold1_train.json
""",
    ),
    # train and test: as pinned by a public project that streams the release; dev agrees with our copy.
    **_listing(
        "art",
        """
23839e688ba80b8b0d46bde6fef70d09fbaa53d810b6d135e3b61ed664267e0c 47306303 train.jsonl
f6876a0da8158651647ed7da9acd33d13037fd009d707b6f6eb764c0bcdc2c5e 339308 train-labels.lst
e8a7f2e50aa3812c1e998843888bc94519b2b1aae146a368799eedb235d3c51c 431993 dev.jsonl
d170382e8e562ab2506175b0b01aa0edc851e5f53b2d199750509cdef39a89a1 3064 dev-labels.lst
93bd86eb8961583b2181ac0834cd9bd26da3fd822f043a4d5bc7bda61a08834f 864812 test.jsonl
f4ffa9df8f82f0e617d9c225dfe0f861889d1a4a9099ea3742633b1ca83899d6 6118 test-labels.lst
cec90f334a9af9f1762e7398b305178d58ab8185e44781bc13255b3a0f2a3dcc 822536 anlg/dev_cleanup.json
5aa9624b618b0a806269f314f00726014a16ca99f6d42474c0c011cae571c457 837229 anlg/test_cleanup_ref.json
""",
    ),
    **_listing(
        "worldtree",
        """
6e36f94f898d3d882878cc2deee2e5ffa10a7a906cd2b0a30560a4d8951b0cfb 1575 WorldTree-V2.1-TableKnowledgeTypes.tsv
""",
    ),
    **_listing(
        "atomic",
        """
234eb75e7f4a0bfd33be01ecc0ea33727735dac678c60ce48647a36b0eaba911 3517258 v4_atomic_dev.csv
2735a1dd66aa629984d8aa6de50c0cee95031e48bbe263c5208c606c89031d04 3871655 v4_atomic_tst.csv
9ba9550ad48438d0836ddab3da480b3b69ffa0aac7b7878b5a0039e7ab429411 18657 LICENSE
""",
    ),
    **_listing(
        "challenge300",
        """
c808dcfa5b996e0d19d6c63eed12bfa5edecae00fc016ac0f8374fa1c0e1fb32 45726 challenge300-probes-v1.jsonl
""",
    ),
    **_listing(
        "eqasc",
        """
885c1bd47a64d3c4e488a7f09787197290e5e5db7bc171d90dc16904fa201278 311732 obqa_chains.tsv.processed.tsv
bd3d36c9aecaf42788d0a798ea63605612804d643b06466da8dfd38becbe26e9 341545 turk_modified_test.tsv
""",
    ),
}


def _file(path: str) -> RemoteFile:
    return _KNOWN.get(path, RemoteFile(path, None, None))


def _raw(repository: str, commit: str, source: str, path: str, *, verified: bool = True) -> Download:
    """One file of a GitHub repository, as it is at a commit."""
    url = f"https://raw.githubusercontent.com/{repository}/{commit}/{quote(source)}"
    target = _file(path)
    return Download(url, (("", target),), "file", target.size, verified)


def _explagraphs() -> tuple[Download, ...]:
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
    return tuple(
        _raw(repository, commit, f"data/{name}", f"explagraphs/{name}") for name, commit in commits.items()
    )


def _entailmentbank() -> tuple[Download, ...]:
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
    return (*stored, *original)


def _cider() -> tuple[Download, ...]:
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
    return tuple(downloads)


def _art() -> tuple[Download, ...]:
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
    return (
        release,
        *(
            _raw("XiangLi1999/Diffusion-LM", commit, f"{references}/{name}", f"art/anlg/{name}")
            for name in ("dev_cleanup.json", "test_cleanup_ref.json")
        ),
    )


def _worldtree() -> tuple[Download, ...]:
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
    return (corpus, _raw("cognitiveailab/tg2021task", commit, kinds, f"worldtree/{kinds}"), ratings)


def _cosata() -> tuple[Download, ...]:
    commit = "642c3b9da8ae10d6d5e44eb74c0995c58b077c89"
    root = f"cosata-{commit}"
    words = "lemmatization-en.txt"
    return (
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


def _atomic() -> tuple[Download, ...]:
    # Other projects pin 2347ce17... for the same archive at the author's former address; not known for this one.
    names = ("v4_atomic_trn.csv", "v4_atomic_dev.csv", "v4_atomic_tst.csv", "LICENSE")
    return (
        Download(
            "https://storage.googleapis.com/ai2-mosaic/public/atomic/v1.0/atomic_data.tgz",
            tuple((name, _file(f"atomic/{name}")) for name in names),
            "tar",
            None,
        ),
    )


def _conceptnet() -> tuple[Download, ...]:
    # Digests of the compressed files, as AI2's Rainbow pins them; it has none for the test file.
    digests = {
        "train100k.txt": "a44a27fc0c6f5d4a426a935cdb6c02c101efba69f34346b0b627ee7c7d17a64e",
        "dev1.txt": "b101d1b27d1862190674470911326297d0de5df58a36a2acd6c0f17b289a90fc",
        "dev2.txt": "fd3c7a41dd280581de03c1b62197fd1af5c1f810846dfed048d71f2cebd13ded",
        "test.txt": None,
    }
    return tuple(
        Download(
            f"https://home.ttic.edu/~kgimpel/comsense_resources/{name}.gz",
            (("", _file(f"conceptnet/{name}")),),
            "gzip",
            None,
            sha256=digest,
        )
        for name, digest in digests.items()
    )


def _eqasc() -> tuple[Download, ...]:
    repository, commit = "harsh19/Reasoning-Chains-MultihopQA", "65e25d0f7b6f547f1694358d1cded40636b676e7"
    # The first has the git blob that a public project pins at this commit; the second is named by the code there.
    return tuple(
        _raw(repository, commit, source, f"eqasc/{source.rsplit('/', 1)[1]}")
        for source in (
            "data/eobqa/obqa_chains.tsv.processed.tsv",
            "data/eqasc_perturbed/turk_modified_test.tsv",
        )
    )


_ATTRIBUTION = (
    "Use, share and adapt it for any purpose, with credit to the authors, a link to the licence and a note of "
    "what you changed."
)
_SHARE_ALIKE = f"{_ATTRIBUTION} What you build from it and pass on must carry the same licence."

_ALL = (
    Source(
        "explagraphs",
        "ExplaGraphs: stances explained by commonsense graphs",
        "Saha, Yadav, Bauer and Bansal (UNC Chapel Hill)",
        "https://explagraphs.github.io/",
        "CC BY-SA 4.0 (data), MIT (code)",
        f"{_SHARE_ALIKE} The authors withhold the graphs of the test set and score predictions on request.",
        "Saha et al. 2021. ExplaGraphs: An Explanation Graph Generation Task for Structured Commonsense "
        "Reasoning. EMNLP.",
        _explagraphs(),
    ),
    Source(
        "entailmentbank",
        "EntailmentBank: answers explained by entailment trees (version 2)",
        "Allen Institute for AI",
        "https://allenai.org/data/entailmentbank",
        "CC BY 4.0",
        f"{_ATTRIBUTION} Its questions come from ARC and its facts from WorldTree, which have terms of their own.",
        "Dalvi et al. 2021. Explaining Answers with Entailment Trees. EMNLP.",
        _entailmentbank(),
        ("version 3 of the data (May 2022): no address of it could be confirmed; see the homepage",),
    ),
    Source(
        "cider",
        "CIDER: dialogues explained by commonsense triplets",
        "Ghosal, Hong, Shen, Majumder, Mihalcea and Poria (DeCLaRe Lab)",
        "https://github.com/declare-lab/CIDER",
        "MIT",
        "Use, copy, change and pass it on freely as long as the copyright notice stays with it; no warranty. "
        "The dialogues come from DailyDialog, MuTual and DREAM, which have terms of their own.",
        "Ghosal et al. 2021. CIDER: Commonsense Inference for Dialogue Explanation and Reasoning. SIGDIAL.",
        _cider(),
    ),
    Source(
        "art",
        "ART: abductive inference (anli) and generation (anlg) over two observations",
        "Allen Institute for AI",
        "https://github.com/allenai/abductive-commonsense-reasoning",
        "not stated by the publisher",
        "The publisher states no licence for the data (the code is Apache-2.0). Without one, assume research use "
        "only and do not pass it on; ask the authors for more. The generation references come from the "
        "Diffusion-LM repository, which states none for them either.",
        "Bhagavatula et al. 2020. Abductive Commonsense Reasoning. ICLR.",
        _art(),
        (
            "art/chaosNLI_alphanli.jsonl: 100 votes an item (ChaosNLI, CC BY-NC 4.0: not for commercial use). "
            "Its only address is a Dropbox link on https://github.com/easonnie/ChaosNLI, reported deleted in 2026",
            "art/train_part.jsonl, art/pools_part.jsonl: excerpts made for whence's tests; train.jsonl has all",
        ),
    ),
    Source(
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
        _worldtree(),
        ("worldtree/wt-expert-ratings.test.json: the shared task withheld the test ratings",),
    ),
    Source(
        "cosata",
        "CoSaTa: schemas over the WorldTree tables, and a word list for lemmas",
        "Jansen (University of Arizona); word list: Měchura",
        "https://github.com/clulab/cosata",
        "Apache-2.0; tables CC BY-SA 4.0; word list ODbL",
        "Schemas: use, change and pass on with the notice and a statement of changes. Tables (of WorldTree): "
        "credit and the same licence. Word list: credit, and a database made from it must be under ODbL too.",
        "Jansen 2020. CoSaTa: A Constraint Satisfaction Solver and Interpreted Language for Semi-Structured "
        "Tables of Sentences. EMNLP Demos.",
        _cosata(),
        (
            "cosata/solutions: an extract made for whence's tests; the repository holds the solver's full output",
            "the solver's own word list, which has 123 pairs more than the public one: no address is known; "
            "cosata/lemmatization-en.txt is fetched without them",
        ),
    ),
    Source(
        "atomic",
        "ATOMIC: if-then inferences about everyday events (v4)",
        "Allen Institute for AI and University of Washington",
        "https://homes.cs.washington.edu/~msap/atomic/",
        "CC BY 4.0",
        f"{_ATTRIBUTION} Some events describe violence or prejudice, as the authors warn.",
        "Sap et al. 2019. ATOMIC: An Atlas of Machine Commonsense for If-Then Reasoning. AAAI.",
        _atomic(),
    ),
    Source(
        "conceptnet",
        "ConceptNet: 100,000 English triples for knowledge-base completion",
        "Li, Taheri, Tu and Gimpel (TTI Chicago)",
        "https://home.ttic.edu/~kgimpel/commonsense.html",
        "CC BY-SA 4.0 (ConceptNet)",
        f"{_SHARE_ALIKE} This is the licence of ConceptNet; those who made this cut of it state none.",
        "Li et al. 2016. Commonsense Knowledge Base Completion. ACL; Speer et al. 2017. ConceptNet 5.5. AAAI.",
        _conceptnet(),
        (
            "conceptnet/train_old.txt, test_old.txt, valid.txt: such triples without confidence or label, from a "
            "later repository not found again; train100k.txt, dev1.txt, dev2.txt, test.txt are the published form",
        ),
    ),
    Source(
        "challenge300",
        "Challenge300: 300 probing questions",
        "Allen Institute for AI",
        "https://github.com/allenai/macaw",
        "Apache-2.0",
        "Use, change and pass it on for any purpose, with the licence, its notices and a statement of changes.",
        "Tafjord and Clark 2021. General-Purpose Question-Answering with Macaw. arXiv:2109.02593.",
        (
            _raw(
                "allenai/macaw",
                "68fdf26a153ae8fe6738401a979d52aa15f15166",
                "challenge300-probes-v1.jsonl",
                "challenge300/challenge300-probes-v1.jsonl",
            ),
        ),
    ),
    Source(
        "eqasc",
        "eQASC: two-fact chains with votes on their validity (eOBQA and perturbed sets)",
        "Jhamtani and Clark (CMU, Allen Institute for AI)",
        "https://allenai.org/data/eqasc",
        "CC BY 4.0",
        _ATTRIBUTION,
        "Jhamtani and Clark 2020. Learning to Explain: Datasets and Models for Identifying Valid Reasoning "
        "Chains in Multihop Question-Answering. EMNLP.",
        _eqasc(),
        ("eqasc_{train,dev,test}_grc.json: only in a Google Drive folder, which gives no stable address",),
    ),
)

SOURCES: dict[str, Source] = {source.name: source for source in _ALL}
"""Every data set that `whence data get` knows, by name."""
