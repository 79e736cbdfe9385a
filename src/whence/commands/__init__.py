"""The command line: one file per verb. A verb reads its arguments, calls one function, and shows the result.

Verbs import what they need when they run, so that `whence --help` answers at once.
"""

from __future__ import annotations

import io
import os
import sys
import warnings
from typing import Any, NoReturn, TextIO

from whence.errors import PluginWarning, StoppedError, WhenceError, printable

INTERRUPTED = 130


def main() -> None:
    """Runs the command line. Exit codes: 0 done, 1 the answer is "no", 2 wrong use or bad file, 130 stopped."""
    import typer

    from whence.commands.application import application

    wrong_use: Any = typer.BadParameter.__base__  # typer has no name of its own for all that is typed wrongly
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a character shows a question mark
    warnings.showwarning = _show_warning
    try:
        try:
            code = application(prog_name="whence", standalone_mode=False)
        finally:
            sys.stdout.flush()
    except WhenceError as error:
        _end(str(error), INTERRUPTED if isinstance(error, StoppedError) else 2)
    except wrong_use as error:
        _end(_wrong_use(error))
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        _end(f"this needs {error.name}: pip install 'whence[{extra}]'")
    except KeyboardInterrupt:
        code = INTERRUPTED
    except typer.Abort as error:
        if not isinstance(error.__cause__, KeyboardInterrupt):
            _end("nothing was done", 1)
        code = INTERRUPTED
    except BrokenPipeError:
        # The reader of our output went away (`whence ... | head`): not an error of ours.
        _give_up_output()
        sys.exit(0)
    except OSError as error:
        if error.filename is None:
            _give_up_output()
        _end(f"{error.filename or 'the output'} cannot be written: {error.strerror or error}")
    if code == INTERRUPTED:
        _end("interrupted", INTERRUPTED)
    sys.exit(code if isinstance(code, int) else 0)


EXTRAS = {
    **dict.fromkeys(("fastapi", "jinja2", "multipart", "python_multipart", "starlette", "uvicorn"), "web"),
    **dict.fromkeys(("alembic", "argon2", "psycopg", "sqlalchemy"), "collect"),
}
"""Which extra of ours installs a package, where a whole layer is built on it and imports it at its top."""


_show_other_warning = warnings.showwarning


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print what plug-ins lack in one line; other warnings as Python does."""
    if issubclass(category, PluginWarning):
        sys.stderr.write(f"whence: {printable(str(message))}\n")
    else:
        _show_other_warning(message, category, filename, lineno, file, line)


def _end(message: str, code: int = 2) -> NoReturn:
    if message:
        sys.stderr.write(f"whence: {printable(message)}\n")
    sys.exit(code)


def _wrong_use(error: Any) -> str:
    """What was typed wrongly, and where it says how it goes; nothing where help was printed already."""
    message = error.format_message().replace("Value error, ", "").rstrip(".")
    if not message:
        return ""
    stop = "" if message.endswith("?") else "."
    verb = error.ctx.command_path if error.ctx else "whence"
    return f"{message[0].lower()}{message[1:]}{stop} How it goes: {verb} --help"


def _give_up_output() -> None:
    """Lets the interpreter end without trying once more to write what is left."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
