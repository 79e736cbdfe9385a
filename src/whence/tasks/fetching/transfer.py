"""One download over HTTP: as many attempts as are allowed, each asking only for what is missing."""

from __future__ import annotations

import os
import re
import time
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import IO
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from whence.errors import UsageError, WhenceError
from whence.tasks.fetching.disk import CHUNK, check_space
from whence.tasks.fetching.faults import Fault, given_up, loss, offline, refusal
from whence.tasks.fetching.job import Job, Progress, discard, wrong
from whence.tasks.fetching.part import Note, resumable, write_note
from whence.tasks.sources import RemoteFile


def transfer(job: Job) -> None:
    """Fills the part."""
    if urlsplit(job.download.url).scheme not in ("http", "https"):
        raise UsageError(f"{job.download.url}: only http and https addresses are fetched")
    settings = job.settings
    for attempt in range(1, settings.attempts + 1):
        fault = _attempt(job)
        if fault is None:
            return
        last = attempt == settings.attempts
        if fault.offline and (attempt == 1 or last):
            raise offline(job, fault)
        if last or (fault.wait or 0.0) > settings.longest_pause:
            raise given_up(job, fault, attempt)
        pause = min(settings.pause * 2 ** (attempt - 1), settings.longest_pause)
        time.sleep(pause if fault.wait is None else max(fault.wait, 0.0))


def opener() -> OpenerDirector:
    """What sends requests: as usual, but without unsafe redirects."""
    return build_opener(_Redirects)


class _Redirects(HTTPRedirectHandler):
    """Follows redirects, but never from a protected address to an unprotected one."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        if req.type == "https" and urlsplit(newurl).scheme != "https":
            raise WhenceError(f"{req.full_url}: refused, as it leads on to the unprotected {newurl}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _attempt(job: Job) -> Fault | None:
    try:
        return _receive(job)
    except HTTPError as error:
        with error:
            return refusal(job, error)
    except (OSError, HTTPException) as error:
        return loss(job, error)


def _receive(job: Job) -> Fault | None:
    """One request for what is missing. None when the part is complete."""
    note, start = resumable(job)
    if start == note.total:
        return None
    with _requested(job, note, start) as response:
        if response.status == 206:
            first, total = _range(response)
            total = note.total if total is None else total
            if first != start or note.total not in (None, total):
                discard(job)
                return Fault("the rest did not fit what had arrived", wait=0.0)
        else:  # the whole of it: ranges are ignored, or the file has changed
            start, total = 0, _length(response)
        if total is None:
            total = job.download.size
        _check_promise(job, start, total)
        note = Note(job.download.url, _validator(response), total)
        write_note(job, note)
        done = _write(job, response, start, total)
    if total is None:  # what came is all there is: a later run need not ask again
        write_note(job, Note(note.url, note.validator, done))
    elif done < total:
        return Fault("the connection was closed early")
    return None


def _requested(job: Job, note: Note, start: int) -> HTTPResponse:
    headers = {"User-Agent": job.settings.user_agent, "Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
        if note.validator is not None:
            headers["If-Range"] = note.validator
    request = Request(job.download.url, headers=headers)
    response: HTTPResponse = opener().open(request, timeout=job.settings.timeout)
    return response


def _check_promise(job: Job, start: int, total: int | None) -> None:
    """Refuses what cannot be right or cannot be held, before it is transferred."""
    if total is not None and job.download.size not in (None, total):
        raise wrong(job, f"{job.download.size} bytes", str(total))
    if total is not None and total > job.settings.most_bytes:
        raise wrong(job, f"at most {job.settings.most_bytes} bytes", str(total))
    members = 0
    if job.download.kind != "file":
        members = sum(target.size or 0 for _, target in job.missing if isinstance(target, RemoteFile))
    check_space(job.folder, (total or start) - start + members)


def _write(job: Job, response: HTTPResponse, start: int, total: int | None) -> int:
    """Appends the body from `start` on, flushed so that a kill loses nothing: the length of the part then."""
    bound = job.settings.most_bytes if total is None else total
    done = start
    with job.part.open("r+b" if start else "wb") as stream:
        stream.seek(start)
        job.progress(Progress(job.name, done, total))
        while chunk := response.read1(CHUNK):
            done += len(chunk)
            if done > bound:
                raise wrong(job, f"at most {bound} bytes", "more")
            stream.write(chunk)
            stream.flush()
            job.progress(Progress(job.name, done, total))
        os.fsync(stream.fileno())
    return done


def _validator(response: HTTPResponse) -> str | None:
    """What `If-Range` accepts: a strong ETag, else the date of the last change."""
    etag = response.headers.get("ETag")
    if etag is not None and not etag.startswith("W/"):
        return str(etag)
    return response.headers.get("Last-Modified")


def _length(response: HTTPResponse) -> int | None:
    text = response.headers.get("Content-Length", "")
    return int(text) if text.isdecimal() else None


def _range(response: HTTPResponse) -> tuple[int | None, int | None]:
    """First byte and whole length, as `Content-Range: bytes FIRST-LAST/LENGTH` says."""
    match = re.fullmatch(r"bytes (\d+)-\d+/(\d+|\*)", response.headers.get("Content-Range", "").strip())
    if match is None:
        return None, None
    return int(match[1]), None if match[2] == "*" else int(match[2])
