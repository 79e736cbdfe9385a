"""The table of sources, asked the same questions row by row."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

import pytest

from whence.errors import MissingDataError, UsageError
from whence.tasks import sources
from whence.tasks.sources import RemoteFile, RemoteFolder, Source, all_sources, data_folder, source_named

NAMES = {
    "explagraphs",
    "entailmentbank",
    "cider",
    "art",
    "worldtree",
    "cosata",
    "atomic",
    "conceptnet",
    "challenge300",
    "eqasc",
}
PUBLISHERS = {
    "raw.githubusercontent.com",
    "github.com",
    "storage.googleapis.com",
    "cognitiveai.org",
    "home.ttic.edu",
}


def test_every_data_set_has_a_source() -> None:
    assert set(all_sources()) == NAMES
    assert all(all_sources()[name].name == name for name in NAMES)


@pytest.mark.parametrize("source", all_sources().values(), ids=lambda source: source.name)
class TestSource:
    def test_says_what_it_is_and_on_what_terms(self, source: Source) -> None:
        assert source.title and source.publisher and source.licence and source.citation
        assert len(source.licence_text) > 60
        assert source.homepage.startswith("https://")
        assert source.downloads

    def test_addresses_are_protected_and_the_publishers(self, source: Source) -> None:
        for download in source.downloads:
            address = urlsplit(download.url)
            assert address.scheme == "https"
            assert address.netloc in PUBLISHERS
            assert " " not in download.url

    def test_github_files_are_pinned_or_checked(self, source: Source) -> None:
        for download in source.downloads:
            if "github" in urlsplit(download.url).netloc:
                pinned = re.search(r"/[0-9a-f]{40}[/.]", download.url)
                assert pinned or all(
                    isinstance(target, RemoteFile) and target.sha256 for _, target in download.members
                )

    def test_members_fit_the_kind(self, source: Source) -> None:
        for download in source.downloads:
            if download.kind in ("file", "gzip"):
                ((name, target),) = download.members
                assert name == "" and isinstance(target, RemoteFile)
            else:
                assert all(name for name, _ in download.members)
            if download.kind == "file":
                assert download.size == download.members[0][1].size  # type: ignore[union-attr]

    def test_paths_are_unique_and_its_own(self, source: Source) -> None:
        paths = [target.path for target in source.targets()]
        assert len(paths) == len(set(paths))
        for path in paths:
            assert PurePosixPath(path).parts[0] == source.name
            assert ".." not in path and not path.startswith("/")

    def test_archives_collect_under_different_names(self, source: Source) -> None:
        """Their parts lie side by side."""
        names = [download.url.rsplit("/", 1)[1] for download in source.downloads if download.kind != "file"]
        assert len(names) == len(set(names))

    def test_digests_are_digests(self, source: Source) -> None:
        files = [target for target in source.targets() if isinstance(target, RemoteFile)]
        digests = [file.sha256 for file in files] + [download.sha256 for download in source.downloads]
        assert all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in digests if digest is not None)
        assert all((file.sha256 is None) == (file.size is None) for file in files)


def test_every_known_digest_is_of_a_file_that_is_fetched() -> None:
    lines = Path(sources.__file__).with_name("checksums.txt").read_text("utf-8").splitlines()
    listed = [line.split()[2] for line in lines if line and not line.startswith("#")]
    fetched = {target.path for source in all_sources().values() for target in source.targets()}
    assert len(listed) == len(set(listed))
    assert set(listed) <= fetched


def test_the_questions_that_must_not_be_passed_on_say_so() -> None:
    assert "not to be redistributed, non-commercial research only" in all_sources()["worldtree"].licence_text
    assert all_sources()["art"].licence == "not stated by the publisher"


def test_unknown_name() -> None:
    assert source_named("cider") is all_sources()["cider"]
    with pytest.raises(UsageError, match=r"unknown data source 'snli': there are art, atomic, .*worldtree"):
        source_named("snli")


class TestDataFolder:
    @pytest.fixture(autouse=True)
    def no_variables(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("WHENCE_DATA", raising=False)
        monkeypatch.delenv("XDG_DATA_HOME", raising=False)

    def test_named(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("WHENCE_DATA", str(tmp_path))
        assert data_folder() == tmp_path

    def test_named_but_absent(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("WHENCE_DATA", str(tmp_path / "nowhere"))
        with pytest.raises(MissingDataError, match=r"WHENCE_DATA names .*nowhere, which is no folder"):
            data_folder()

    @pytest.mark.parametrize(
        "variable, expected",
        [
            ("/some/where", "/some/where/whence"),
            ("", "/home/them/.local/share/whence"),
            ("relative", "/home/them/.local/share/whence"),  # the XDG specification: ignore it
        ],
    )
    def test_otherwise_the_users(self, monkeypatch: pytest.MonkeyPatch, variable: str, expected: str) -> None:
        monkeypatch.setenv("HOME", "/home/them")
        monkeypatch.setenv("XDG_DATA_HOME", variable)
        monkeypatch.setenv("WHENCE_DATA", "")  # empty is not set
        assert data_folder() == Path(expected)


@pytest.mark.real_data
@pytest.mark.parametrize("source", all_sources().values(), ids=lambda source: source.name)
def test_published_copies_match_the_digests(source: Source) -> None:
    folder = os.environ.get("WHENCE_DATA")
    if not folder:
        pytest.skip("WHENCE_DATA names no folder with the published data")
    checked = 0
    for target in source.targets():
        path = Path(folder) / target.path
        if isinstance(target, RemoteFolder):
            if path.exists():
                assert sum(child.name.endswith(target.suffix) for child in path.iterdir()) >= (target.count or 1)
                checked += 1
        elif target.sha256 is not None and path.exists():
            assert path.stat().st_size == target.size, target.path
            assert hashlib.sha256(path.read_bytes()).hexdigest() == target.sha256, target.path
            checked += 1
    if not checked:
        pytest.skip(f"{folder} has no file of {source.name} whose digest is known")
