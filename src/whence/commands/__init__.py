"""The command line: one file per verb. A verb reads its arguments, calls one function, and shows the result.

Verbs import what they need when they run, so that `whence --help` answers at once.
"""

from __future__ import annotations

import io
import os
import sys

from whence.errors import WhenceError, printable


def main() -> None:
    """Runs the command line. Exit codes: 0 done, 1 the answer is "no", 2 wrong use or bad file."""
    from whence.commands.application import application

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that cannot show a character shows a question mark
    try:
        try:
            application()
        finally:
            sys.stdout.flush()
    except WhenceError as error:
        sys.stderr.write(f"whence: {printable(str(error))}\n")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.stderr.write("whence: interrupted\n")
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output went away (`whence ... | head`): not an error of ours.
        _give_up_output()
        sys.exit(0)
    except OSError as error:
        _give_up_output()
        sys.stderr.write(f"whence: the output cannot be written: {error.strerror or error}\n")
        sys.exit(2)


def _give_up_output() -> None:
    """Lets the interpreter end without trying once more to write what is left."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
