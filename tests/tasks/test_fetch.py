"""Fetching a source: what is there, what is put there, and what the user is told."""

from __future__ import annotations

import errno
import json
import os
import shutil
from pathlib import Path

import pytest
from tests.tasks.fetch_site import (
    BODY,
    Page,
    Site,
    get,
    known,
    left_over,
    one_file,
    sha,
    source,
    unknown,
)

from whence.errors import DataError, MissingDataError, WhenceError
from whence.tasks.fetching import RECORDS, Progress, Settings, fetch, licence_notice
from whence.tasks.fetching.disk import alone
from whence.tasks.sources import Download, Source, all_sources

# ---------------------------------------------------------------- one file


def test_file_comes_into_place_and_progress_is_told(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(BODY)
    told: list[Progress] = []
    report = get(one_file(site, known("toy/sub/a.tsv", BODY)), tmp_path / "new", progress=told.append)
    assert (tmp_path / "new/toy/sub/a.tsv").read_bytes() == BODY
    assert left_over(tmp_path / "new") == ["toy/sub/a.tsv"]
    assert [(file.path, file.status, file.size) for file in report.files] == [
        ("toy/sub/a.tsv", "fetched", 400_000)
    ]
    assert report.lines() == ["toy/sub/a.tsv: fetched and checked"]
    assert told[0] == Progress("toy/sub/a.tsv", 0, 400_000)
    assert told[-1] == Progress("toy/sub/a.tsv", 400_000, 400_000)
    assert [step.done for step in told] == sorted(step.done for step in told)


def test_file_already_there_is_not_asked_for(site: Site, tmp_path: Path) -> None:
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy/a.tsv").write_bytes(BODY)
    report = get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    assert report.lines() == ["toy/a.tsv: already there, as it should be"]
    assert site.log == []
    assert left_over(tmp_path) == ["toy/a.tsv"]  # nothing is written: the folder may be read-only


def test_empty_file(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(b"")
    get(one_file(site, known("toy/a.tsv", b"")), tmp_path)
    assert (tmp_path / "toy/a.tsv").read_bytes() == b""


def test_existing_different_file_is_refused_before_anything_is_sent(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"], site.pages["/b.tsv"] = Page(BODY), Page(BODY)
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy/b.tsv").write_bytes(b"mine")
    both = source(
        *(
            Download(f"{site.url}/{name}", (("", known(f"toy/{name}", BODY)),), "file", 400_000)
            for name in ("a.tsv", "b.tsv")
        )
    )
    with pytest.raises(
        DataError, match=rf"toy/b\.tsv: expected sha256 {sha(BODY)}, found {sha(b'mine')}.*--force"
    ):
        get(both, tmp_path)
    assert (tmp_path / "toy/b.tsv").read_bytes() == b"mine"
    assert site.log == []
    get(both, tmp_path, force=True)
    assert (tmp_path / "toy/b.tsv").read_bytes() == BODY


def test_folder_where_a_file_should_be(site: Site, tmp_path: Path) -> None:
    (tmp_path / "toy/a.tsv").mkdir(parents=True)
    with pytest.raises(DataError, match=r"a\.tsv: expected a file, found a folder"):
        get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)


# ---------------------------------------------------------------- wrong content


def test_wrong_content_is_discarded(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(bytes(len(BODY)))
    with pytest.raises(
        DataError, match=rf"expected sha256 {sha(BODY)} for toy/a\.tsv, found .*discarded and nothing"
    ):
        get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    assert left_over(tmp_path) == []


def test_wrong_content_leaves_the_users_file(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(bytes(len(BODY)))
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy/a.tsv").write_bytes(b"mine")
    with pytest.raises(DataError, match="expected sha256"):
        get(one_file(site, known("toy/a.tsv", BODY)), tmp_path, force=True)
    assert (tmp_path / "toy/a.tsv").read_bytes() == b"mine"
    assert left_over(tmp_path) == ["toy/a.tsv"]


def test_wrong_length_is_refused_before_the_body(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(b"<html>Log in</html>")
    with pytest.raises(DataError, match=r"expected 400000 bytes, found 19"):
        get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    assert left_over(tmp_path) == []


@pytest.mark.parametrize("chunked", [False, True], ids=["length", "chunked"])
def test_more_than_is_allowed(site: Site, tmp_path: Path, chunked: bool) -> None:
    site.pages["/a.tsv"] = Page(BODY, chunked=chunked)
    with pytest.raises(DataError, match=r"expected at most 100000 bytes"):
        get(one_file(site, unknown("toy/a.tsv")), tmp_path, settings=Settings(most_bytes=100_000))
    assert left_over(tmp_path) == []


# ---------------------------------------------------------------- the disk


def test_full_disk_is_seen_before_the_body(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site.pages["/a.tsv"] = Page(BODY)
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=16 * 1024**2 + 399_999))
    with pytest.raises(
        WhenceError, match=r"17\.2 MB are needed and 17\.2 MB are free\. Make room, or set WHENCE_DATA"
    ):
        get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=16 * 1024**2 + 400_000))
    get(one_file(site, known("toy/a.tsv", BODY)), tmp_path)


def test_disk_that_cannot_be_written(site: Site, tmp_path: Path) -> None:
    (tmp_path / "toy").write_text("a file where a folder should be")
    with pytest.raises(WhenceError, match=r"cannot be written \((File exists|Not a directory)\)"):
        get(one_file(site, known("toy/sub/a.tsv", BODY)), tmp_path)


def test_disk_that_fills_up(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    site.pages["/a.tsv"] = Page(BODY)
    toy = one_file(site, known("toy/a.tsv", BODY))
    with (
        monkeypatch.context() as patch,
        pytest.raises(WhenceError, match=r"No space left on device\); what has arrived"),
    ):
        patch.setattr(os, "fsync", full)
        get(toy, tmp_path)
    get(toy, tmp_path)
    assert len(site.log) == 1  # what had arrived was used


def test_one_fetch_at_a_time(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(BODY)
    toy = one_file(site, known("toy/a.tsv", BODY))
    with alone(tmp_path), pytest.raises(WhenceError, match="another fetch is under way"):
        get(toy, tmp_path)
    get(toy, tmp_path)


# ---------------------------------------------------------------- trust on first use


def test_trust_on_first_use(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(BODY)
    toy = one_file(site, unknown("toy/a.tsv"))
    report = get(toy, tmp_path)
    assert report.files[0].first_seen
    assert report.lines() == [
        f"toy/a.tsv: fetched; no digest is published: sha256 {sha(BODY)} now stands in {RECORDS}, and another "
        "will be refused"
    ]
    assert json.loads((tmp_path / RECORDS).read_text()) == {"toy/a.tsv": sha(BODY)}
    assert get(toy, tmp_path).lines() == ["toy/a.tsv: already there, as it should be"]

    (tmp_path / "toy/a.tsv").unlink()
    site.pages["/a.tsv"] = Page(b"changed")
    with pytest.raises(
        DataError, match=rf"expected sha256 {sha(BODY)} .*first fetched, found .*remove its line from"
    ):
        get(toy, tmp_path)
    assert left_over(tmp_path) == [RECORDS]

    site.pages["/a.tsv"] = Page(BODY)
    assert not get(toy, tmp_path).files[0].first_seen


def test_recorded_file_that_the_user_changed(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(BODY)
    toy = one_file(site, unknown("toy/a.tsv"))
    get(toy, tmp_path)
    (tmp_path / "toy/a.tsv").write_bytes(b"mine")
    with pytest.raises(DataError, match=r"toy/a\.tsv: expected sha256"):
        get(toy, tmp_path)
    get(toy, tmp_path, force=True)
    assert (tmp_path / "toy/a.tsv").read_bytes() == BODY


def test_unrecorded_file_is_kept_unchecked(site: Site, tmp_path: Path) -> None:
    site.pages["/a.tsv"] = Page(BODY)
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy/a.tsv").write_bytes(b"mine")
    toy = one_file(site, unknown("toy/a.tsv"))
    assert get(toy, tmp_path).lines() == ["toy/a.tsv: already there, kept unchecked: no digest is known"]
    assert site.log == []
    get(toy, tmp_path, force=True)
    assert (tmp_path / "toy/a.tsv").read_bytes() == BODY


@pytest.mark.parametrize("text", ["[]", '{"a": 1}', "{"])
def test_unreadable_records_are_an_error(site: Site, tmp_path: Path, text: str) -> None:
    (tmp_path / RECORDS).write_text(text)
    with pytest.raises(DataError, match=RECORDS):
        get(one_file(site, unknown("toy/a.tsv")), tmp_path)


# ---------------------------------------------------------------- the whole of a source


def test_unverified_addresses_come_last(site: Site, tmp_path: Path) -> None:
    site.pages["/b.tsv"] = Page(b"b")
    dead = Download(f"{site.url}/dead.tsv", (("", unknown("toy/dead.tsv")),), "file", None, verified=False)
    alive = Download(f"{site.url}/b.tsv", (("", known("toy/b.tsv", b"b")),), "file", 1)
    with pytest.raises(MissingDataError, match="404"):
        get(source(dead, alive), tmp_path)
    assert (tmp_path / "toy/b.tsv").read_bytes() == b"b"


@pytest.mark.parametrize("each", all_sources().values(), ids=lambda source: source.name)
def test_licence_notice(each: Source, tmp_path: Path) -> None:
    notice = licence_notice(each, tmp_path)
    flat = " ".join(notice.split())
    for text in (each.title, each.publisher, each.homepage, each.licence, each.licence_text, str(tmp_path)):
        assert " ".join(text.split()) in flat
    assert all(" ".join(reason.split()) in flat for reason in each.unavailable)
    assert max(len(line) for line in notice.split("\n")) <= 120


def test_licence_notice_tells_the_size(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHENCE_DATA", str(tmp_path))
    file, more = one_file(site, known("toy/a", BODY)).downloads, one_file(site, unknown("toy/b")).downloads
    assert "download    400 kB from 127.0.0.1" in licence_notice(source(*file))
    assert "at least 400 kB (1 of 2 downloads do not tell" in " ".join(
        licence_notice(source(*file, *more)).split()
    )
    assert "unknown size (1 of 1 downloads" in licence_notice(source(*more))
    assert f"goes to     {tmp_path}" in licence_notice(source(*file))
    doubtful = one_file(site, known("toy/a", BODY), verified=False)
    assert "1 of its addresses could not be confirmed" in licence_notice(doubtful)


@pytest.mark.real_data
@pytest.mark.parametrize("name", ["challenge300", "explagraphs", "eqasc"])
def test_complete_copies_need_no_network(name: str) -> None:
    folder = os.environ.get("WHENCE_DATA")
    if not folder:
        pytest.skip("WHENCE_DATA names no folder with the published data")
    report = fetch(all_sources()[name], Path(folder))
    assert {file.status for file in report.files} == {"present"}
