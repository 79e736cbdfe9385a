"""Members out of archives, also of hostile and damaged ones."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import pytest
from tests.tasks.fetch_site import (
    BODY,
    Page,
    Site,
    archive,
    get,
    known,
    left_over,
    one_file,
    sha,
    tarred,
    unknown,
    zipped,
)

from whence.errors import DataError, UsageError
from whence.tasks.fetching import RECORDS, Settings
from whence.tasks.sources import Kind, RemoteFolder

FILES = {"top/a.tsv": b"a" * 5000, "top/b.tsv": b"b" * 10, "top/c.txt": b"c", "other": b"o"}


@pytest.mark.parametrize("kind, body", [("zip", zipped(FILES)), ("tar", tarred(FILES))])
def test_only_named_members_are_taken(site: Site, tmp_path: Path, kind: Kind, body: bytes) -> None:
    site.pages["/all.bin"] = Page(body, cuts=[50])
    toy = archive(
        site,
        "/all.bin",
        kind,
        ("top/a.tsv", known("toy/x/one.tsv", FILES["top/a.tsv"])),
        ("other", known("toy/two", b"o")),
        sha256=sha(body),
    )
    report = get(toy, tmp_path)
    assert (tmp_path / "toy/x/one.tsv").read_bytes() == FILES["top/a.tsv"]
    assert left_over(tmp_path) == ["toy/two", "toy/x/one.tsv"]
    assert {file.status for file in report.files} == {"fetched"}
    assert site.sent() == len(body)  # continued after the cut


def test_names_that_start_with_a_dot(site: Site, tmp_path: Path) -> None:
    site.pages["/all.tgz"] = Page(tarred({"./a.tsv": b"a"}))
    get(archive(site, "/all.tgz", "tar", ("a.tsv", known("toy/a.tsv", b"a"))), tmp_path)
    assert (tmp_path / "toy/a.tsv").read_bytes() == b"a"


def test_gzip(site: Site, tmp_path: Path) -> None:
    site.pages["/a.txt.gz"] = Page(gzip.compress(BODY))
    get(archive(site, "/a.txt.gz", "gzip", ("", known("toy/a.txt", BODY))), tmp_path)
    assert (tmp_path / "toy/a.txt").read_bytes() == BODY
    assert left_over(tmp_path) == ["toy/a.txt"]


def test_missing_members_alone_are_replaced(site: Site, tmp_path: Path) -> None:
    site.pages["/all.zip"] = Page(zipped(FILES))
    toy = archive(
        site,
        "/all.zip",
        "zip",
        ("top/a.tsv", known("toy/a.tsv", FILES["top/a.tsv"])),
        ("top/b.tsv", known("toy/b.tsv", FILES["top/b.tsv"])),
    )
    get(toy, tmp_path)
    before = (tmp_path / "toy/a.tsv").stat().st_ino
    (tmp_path / "toy/b.tsv").unlink()
    report = get(toy, tmp_path)
    assert {file.path: file.status for file in report.files} == {"toy/a.tsv": "present", "toy/b.tsv": "fetched"}
    assert (tmp_path / "toy/a.tsv").stat().st_ino == before


def test_folder_of_an_archive(site: Site, tmp_path: Path) -> None:
    nested = {"top/deep/d.tsv": b"d", "topmost/e.tsv": b"e"}
    site.pages["/all.zip"] = Page(zipped({**FILES, **nested, "top/": b""}))
    toy = archive(site, "/all.zip", "zip", ("top", RemoteFolder("toy/tables", ".tsv", 2)))
    report = get(toy, tmp_path)
    assert left_over(tmp_path) == ["toy/tables/a.tsv", "toy/tables/b.tsv", RECORDS]
    assert all(file.first_seen for file in report.files)

    assert [file.status for file in get(toy, tmp_path).files] == ["present", "present"]
    assert len(site.log) == 1
    (tmp_path / "toy/tables/a.tsv").unlink()
    assert {file.status for file in get(toy, tmp_path).files} == {"fetched"}
    assert (tmp_path / "toy/tables/a.tsv").exists()

    (tmp_path / "toy/tables/b.tsv").write_text("mine")
    with pytest.raises(DataError, match=r"b\.tsv: expected sha256"):
        get(toy, tmp_path)


def test_folder_with_a_users_file_in_it(site: Site, tmp_path: Path) -> None:
    site.pages["/all.zip"] = Page(zipped(FILES))
    toy = archive(site, "/all.zip", "zip", ("top", RemoteFolder("toy/tables", ".tsv", 2)))
    (tmp_path / "toy/tables").mkdir(parents=True)
    (tmp_path / "toy/tables/a.tsv").write_text("mine")
    with pytest.raises(DataError, match=r"toy/tables/a\.tsv: expected sha256 .*left as it is"):
        get(toy, tmp_path)
    assert (tmp_path / "toy/tables/a.tsv").read_text() == "mine"
    assert not (tmp_path / "toy/tables/b.tsv").exists()


def test_folder_of_the_users_own_is_kept_unchecked(site: Site, tmp_path: Path) -> None:
    (tmp_path / "toy/tables").mkdir(parents=True)
    for number in range(11):
        (tmp_path / f"toy/tables/{number}.tsv").write_text("x")
    toy = archive(site, "/all.zip", "zip", ("top", RemoteFolder("toy/tables", ".tsv", 11)))
    assert get(toy, tmp_path).lines() == ["toy/tables: 11 files already there, kept unchecked: no digest is known"]
    assert site.log == []


def test_archive_with_fewer_files_than_it_must_have(site: Site, tmp_path: Path) -> None:
    site.pages["/all.zip"] = Page(zipped(FILES))
    with pytest.raises(DataError, match=r"expected 3 files \.tsv in 'top', found 2"):
        get(archive(site, "/all.zip", "zip", ("top", RemoteFolder("toy/tables", ".tsv", 3))), tmp_path)
    assert left_over(tmp_path) == []


@pytest.mark.parametrize("name", ["top/../../evil.tsv", "top/./evil.tsv", "top/..\\evil.tsv", "top//evil.tsv"])
@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_names_that_lead_out_are_refused(site: Site, tmp_path: Path, kind: Kind, name: str) -> None:
    make = {"zip": zipped, "tar": tarred}[kind]
    site.pages["/all.bin"] = Page(make({"top/a.tsv": b"a", name: b"evil"}))  # type: ignore[operator]
    toy = archive(site, "/all.bin", kind, ("top", RemoteFolder("toy/tables", ".tsv", 1)))
    with pytest.raises(DataError, match=r"expected names inside 'top', found .*evil\.tsv', which leads out of it"):
        get(toy, tmp_path / "data")
    assert left_over(tmp_path) == ["data/.whence-fetch.lock"]


def test_paths_that_lead_out_of_the_data_folder_are_refused(site: Site, tmp_path: Path) -> None:
    for path in ("../evil", "/etc/evil", "toy/../../evil", ""):
        with pytest.raises(UsageError, match="leads out of the data folder"):
            get(one_file(site, unknown(path)), tmp_path)
    assert site.log == []


def test_links_are_refused(site: Site, tmp_path: Path) -> None:
    site.pages["/all.tgz"] = Page(tarred({}, {"a.tsv": "/etc/passwd"}))
    with pytest.raises(DataError, match=r"expected an ordinary, unencrypted file 'a\.tsv', found a link"):
        get(archive(site, "/all.tgz", "tar", ("a.tsv", unknown("toy/a.tsv"))), tmp_path)
    link = zipfile.ZipInfo("a.tsv")
    link.external_attr = 0o120777 << 16
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr(link, "/etc/passwd")
    site.pages["/all.zip"] = Page(stream.getvalue())
    with pytest.raises(DataError, match=r"found a link"):
        get(archive(site, "/all.zip", "zip", ("a.tsv", unknown("toy/a.tsv"))), tmp_path)
    assert left_over(tmp_path) == []


BOMB = bytes(5_000_000)


@pytest.mark.parametrize(
    "kind, name, body",
    [("zip", "a", zipped({"a": BOMB})), ("tar", "a", tarred({"a": BOMB})), ("gzip", "", gzip.compress(BOMB))],
)
def test_bombs_are_bounded(site: Site, tmp_path: Path, kind: Kind, name: str, body: bytes) -> None:
    """A few kilobytes that would become megabytes: by our bound, and by the size that is known."""
    site.pages["/all.bin"] = Page(body)
    small = Settings(most_member_bytes=100_000)
    with pytest.raises(DataError, match=r"expected at most 100000 bytes"):
        get(archive(site, "/all.bin", kind, (name, unknown("toy/a"))), tmp_path, settings=small)
    with pytest.raises(DataError, match=r"expected at most 10 bytes"):
        get(archive(site, "/all.bin", kind, (name, known("toy/a", b"0123456789"))), tmp_path)
    assert left_over(tmp_path) == []


@pytest.mark.parametrize("kind", ["zip", "tar", "gzip"])
@pytest.mark.parametrize("body", [b"<html>Log in</html>", None], ids=["no archive", "torn"])
def test_damaged_archives(site: Site, tmp_path: Path, kind: Kind, body: bytes | None) -> None:
    whole = {"zip": zipped({"a": BODY}), "tar": tarred({"a": BODY}), "gzip": gzip.compress(BODY)}[kind]
    site.pages["/all.bin"] = Page(body or whole[:-5000])
    member = "" if kind == "gzip" else "a"
    with pytest.raises(DataError, match=rf"expected a {kind} archive, found a damaged one"):
        get(archive(site, "/all.bin", kind, (member, unknown("toy/a"))), tmp_path)
    assert left_over(tmp_path) == []


def test_archive_digest_and_members_are_checked(site: Site, tmp_path: Path) -> None:
    site.pages["/all.zip"] = Page(zipped(FILES))
    with pytest.raises(DataError, match=rf"expected sha256 {'0' * 64}, found"):
        get(archive(site, "/all.zip", "zip", ("other", unknown("toy/o")), sha256="0" * 64), tmp_path)
    with pytest.raises(DataError, match=r"expected an archive that has 'none', found none of that name"):
        get(archive(site, "/all.zip", "zip", ("other", unknown("toy/o")), ("none", unknown("toy/n"))), tmp_path)
    with pytest.raises(DataError, match=r"expected sha256 .* for toy/o"):
        get(archive(site, "/all.zip", "zip", ("other", known("toy/o", b"O"))), tmp_path)
    assert left_over(tmp_path) == []


def test_same_name_twice_is_refused(site: Site, tmp_path: Path) -> None:
    site.pages["/all.tgz"] = Page(tarred({"a": b"1", "./a": b"2"}))
    with pytest.raises(DataError, match=r"expected every name once, found '\./a' twice"):
        get(archive(site, "/all.tgz", "tar", ("a", unknown("toy/a"))), tmp_path)
