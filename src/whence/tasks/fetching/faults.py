"""Why an attempt failed: try again, or one clear line that says what can be done."""

from __future__ import annotations

import errno
import socket
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from whence.errors import MissingDataError, WhenceError
from whence.tasks.fetching.disk import inside
from whence.tasks.fetching.job import Job, discard

_TRY_AGAIN = {408, 425, 429, 500, 502, 503, 504}
_UNREACHABLE = {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN}
_BREAKS = (URLError, ConnectionError, TimeoutError, HTTPException, ssl.SSLError)


@dataclass(frozen=True)
class Fault:
    """Why an attempt ended early, when another may help. `wait` is what the server asks for, in seconds."""

    reason: str
    offline: bool = False
    wait: float | None = None


def refusal(job: Job, error: HTTPError) -> Fault | None:
    """What an answer of 400 or more means: the part is complete, try again, or (raised) nothing can be done."""
    answer = f"the server answered {error.code} {error.reason}"
    if error.code == 416:
        length = error.headers.get("Content-Range", "").strip()
        if job.part.exists() and length == f"bytes */{job.part.stat().st_size}":
            return None
        discard(job)
        return Fault(answer, wait=0.0)
    if error.code in _TRY_AGAIN:
        return Fault(answer, wait=retry_after(error.headers.get("Retry-After", "")))
    doubt = "" if job.download.verified else " (an address not confirmed for this release)"
    raise MissingDataError(f"{job.download.url}{doubt}: {answer}. {_by_hand(job)}")


def retry_after(text: str) -> float | None:
    """Seconds from now: the header has them, or a date."""
    if text.strip().isdecimal():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds()


def loss(job: Job, error: OSError | HTTPException) -> Fault:
    """Sorts what went wrong on the line: no network at all, a server that is not who it says, or a break.

    An error that is not the line's but, say, the disk's is raised again.
    """
    cause = error.reason if isinstance(error, URLError) and isinstance(error.reason, OSError) else error
    if isinstance(cause, ssl.SSLCertVerificationError):
        raise WhenceError(
            f"{_host(job)}: its certificate is not trusted ({cause.verify_message}). Is a proxy in between? "
            f"{_by_hand(job)}"
        ) from None
    if isinstance(cause, socket.gaierror):
        return Fault("its name cannot be resolved", offline=True)
    if isinstance(cause, ConnectionRefusedError):
        return Fault("the connection was refused", offline=True)
    if isinstance(cause, OSError) and cause.errno in _UNREACHABLE:
        return Fault("there is no route to it", offline=True)
    if isinstance(error, _BREAKS):
        return Fault(f"the connection was lost ({str(cause) or type(cause).__name__})")
    raise error


def offline(job: Job, fault: Fault) -> MissingDataError:
    """The error for a server that cannot be reached at all."""
    return MissingDataError(
        f"cannot reach {_host(job)} ({fault.reason}), so {job.source} was not fetched; all that needs no "
        f"download works without it. {_by_hand(job)}"
    )


def given_up(job: Job, fault: Fault, attempt: int) -> MissingDataError:
    """The error after the last attempt, or when the server asks for too long a wait."""
    patience = job.settings.longest_pause
    asked = f" and asks to wait {fault.wait:.0f} s" if fault.wait is not None and fault.wait > patience else ""
    return MissingDataError(
        f"{job.download.url}: {fault.reason}{asked} (attempt {attempt} of {job.settings.attempts}). "
        "What has arrived is kept: run the same command again to continue"
    )


def _by_hand(job: Job) -> str:
    first = inside(job.folder, job.missing[0][1].path)
    more = f" (and {len(job.missing) - 1} more)" if len(job.missing) > 1 else ""
    return f"A copy put by hand at {first}{more} is found there; WHENCE_DATA can name a folder that has the data"


def _host(job: Job) -> str:
    return urlsplit(job.download.url).netloc
