from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

from tests.commands.conftest import Run, assert_one_clear_line


def test_it_says_where_it_is_answers_and_stops(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()  # found without being named
    command = [sys.executable, "-m", "whence", "serve", "--port", "0", "--data", str(tmp_path)]
    server = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ, cwd=tmp_path
    )
    assert server.stdout is not None
    try:
        line = server.stdout.readline()
        told = r"The workbench is at (http://localhost:\d+/) \(runs of runs; stop it with Ctrl-C\)\n"
        found = re.fullmatch(told, line)
        assert found
        with urllib.request.urlopen(found[1]) as page:
            assert b"What shall be explained?" in page.read()
        server.send_signal(signal.SIGINT)
        said, complaints = server.communicate(timeout=30)
        assert (server.returncode, said, complaints) == (0, "Stopped.\n", "")
    finally:
        server.kill()
        server.wait()


def test_what_is_wrong_is_said_at_once(run: Run) -> None:
    assert_one_clear_line(run("serve", "--runs", "nowhere"), "--runs nowhere: there is no such folder")
    assert_one_clear_line(run("serve", "--host", "not a host"), "cannot listen at not a host port 8642")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert_one_clear_line(run("serve", "--port", str(port)), "Another --port may be free")
