"""The process table by `ps`: its text read from samples, and the whole keeper driven by it wherever there is a `ps`."""

import os
import signal
import socket
import subprocess
import sys

import pytest

from codeg.keeper import linux, macos
from codeg.keeper.messages import pack_launch, stop_line
from tests.fakes.processes import agent, living, new_run
from tests.support import Lines, until

SAMPLE = b"""\
    1     0     1 Ss   Mon Dec  1 10:02:03 2025
  501     1   501 S+   Mon Dec  1 10:02:04 2025
  502   501   501 Z    Tue Feb 29 23:59:59 2028
  bad line
  503   501   501 S    Mon Foo  1 10:02:03 2025
"""

needs_ps = pytest.mark.skipif(not os.access("/bin/ps", os.X_OK), reason="there is no ps")


def test_the_table_is_read_and_lines_of_another_shape_are_skipped() -> None:
    table = macos.parse_table(SAMPLE)
    assert sorted(table) == [1, 501, 502]
    assert table[501].key == (501, 20251201100204)
    assert (table[502].parent, table[502].session, table[502].ended) == (501, 501, True)
    assert table[1].start < table[501].start < table[502].start


@needs_ps
def test_we_find_ourselves_and_a_signal_goes_only_to_the_process_meant() -> None:
    me = macos.read(os.getpid())
    assert me is not None
    assert me.parent == os.getppid()
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE) as process:
        seen = macos.read(process.pid)
        assert seen is not None
        assert not macos.send(linux.Process(seen.pid, seen.start - 1, 0, 0, "S"), signal.SIGKILL)
        assert process.poll() is None
        assert macos.send(seen, signal.SIGTERM)
        assert process.wait(timeout=20) == -signal.SIGTERM
        assert macos.read(process.pid) is None


@needs_ps
@pytest.mark.skipif(sys.platform != "linux", reason="watches by /proc")
def test_a_keeper_without_proc_and_subreaper_ends_the_agents_group_and_descendants() -> None:
    env = new_run()
    ours, theirs = socket.socketpair()
    program = "import codeg.keeper.__main__ as k; from codeg.keeper import macos; k.system = macos; k.main()"
    with (
        ours,
        subprocess.Popen(
            [sys.executable, "-I", "-c", program, str(theirs.fileno())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
        ) as keeper,
    ):
        theirs.close()
        ours.sendall(pack_launch(agent("group"), env, "/"))
        reports = Lines(ours.fileno())
        started = reports.next()
        assert started is not None
        assert started.startswith(b"started %d " % keeper.pid)
        assert keeper.stdout is not None
        assert Lines(keeper.stdout.fileno()).next() == b"ready"
        ours.sendall(stop_line(0.0))
        while (report := reports.next()) not in (b"gone", None):
            pass
        assert report == b"gone"
        assert keeper.wait(timeout=20) == 0
    until(lambda: not living(env), "the tree is gone")
