"""Files: written whole or not at all, and errors that name the file and what to do."""
import os

import numpy as np
import pytest
from heft.engine import Body, Character, HeftError, Joint, Trace, Unwritable, build, write_mjcf, write_trace
from heft.engine.analysis.plot import plot_balance
from heft.engine.export.trace import read_trace

SYSTEM = build(Character("c", (Body("rod", 1.0, (1, 1, 1), joint=Joint("hinge")),)))


def some_trace(**more) -> Trace:
    steps = np.arange(5)
    return Trace(**{"time": steps / 100, "qpos": np.ones((5, 1)), "qvel": np.ones((5, 1)), "qacc": np.zeros((5, 1)),
                    "tau": np.zeros((5, 1)), "frame_step": steps[::2]} | more)


WRITERS = {"model.xml": lambda path: write_mjcf(path, SYSTEM), "trace.npz": lambda path: write_trace(path, some_trace()),
           "plot.png": lambda path: plot_balance(path, SYSTEM, some_trace())}


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_cannot_be_written_is_named_and_leaves_nothing(name, tmp_path):
    if name == "plot.png":
        pytest.importorskip("matplotlib").use("Agg")
    with pytest.raises(Unwritable, match=rf"nowhere/{name}' can't be written \(no such file or directory\): choose a folder") as caught:
        WRITERS[name](tmp_path / "nowhere" / name)
    assert caught.value.path == tmp_path / "nowhere" / name
    (tmp_path / name).mkdir()
    with pytest.raises(Unwritable, match=rf"{name}' can't be written \(is a directory\)"):
        WRITERS[name](tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", WRITERS)
def test_the_old_file_stays_until_the_new_one_is_whole(name, tmp_path, monkeypatch):
    if name == "plot.png":
        pytest.importorskip("matplotlib").use("Agg")
    (tmp_path / name).write_text("old")
    replace = os.replace

    def full(source, target):
        if target == tmp_path / name:
            raise OSError(28, "No space left on device")
        replace(source, target)                  # matplotlib's own files
    monkeypatch.setattr("os.replace", full)
    with pytest.raises(Unwritable, match="no space left on device"):
        WRITERS[name](tmp_path / name)
    monkeypatch.undo()
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {name: "old"}
    WRITERS[name](tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name] and (tmp_path / name).stat().st_size > 100


def test_a_file_that_is_no_trace_is_refused_by_name(tmp_path):
    path = tmp_path / "motion.npz"
    refused = lambda complaint: pytest.raises(HeftError, match=rf"trace '.*motion\.npz'{complaint}")
    with refused(" can't be read: No such file"):
        read_trace(path)
    for content in (b"", b"a text", b"PK\x03\x04 half a zip"):
        path.write_bytes(content)
        with refused(" is not an npz of numbers as write_trace makes them"):
            read_trace(path)
    with open(path, "wb") as file:
        np.save(file, np.zeros(3))                                          # one array, not an archive
    with refused(" is not an npz"):
        read_trace(path)
    np.savez(path, version=1, time=np.array([None]))                        # objects, which could run code
    with refused(" is not an npz of numbers"):
        read_trace(path)


def test_a_trace_that_does_not_fit_itself_is_refused_by_name(tmp_path):
    path = tmp_path / "motion.npz"
    write_trace(path, some_trace())
    with np.load(path) as file:
        good = dict(file)
    for change, complaint in (({"version": 2}, "has version 2, must be 1"), ({"qvel": np.ones((4, 1))}, r": qvel has shape \(4, 1\)"),
                              ({"frame_step": np.array([0, 9])}, ": frame_step names step 9, but there are 5"),
                              ({"tau": np.full((5, 1), "x")}, ": tau must be an array of numbers")):
        np.savez(path, **good | change)
        with pytest.raises(HeftError, match=rf"trace '.*motion\.npz' ?{complaint}"):
            read_trace(path)
    del good["qacc"]
    np.savez(path, **good)
    with pytest.raises(HeftError, match=r"motion\.npz' lacks qacc"):
        read_trace(path)


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path):
    kept, link = tmp_path / "kept.npz", tmp_path / "link.npz"
    kept.touch()
    link.symlink_to(kept)
    write_trace(link, some_trace())
    assert link.is_symlink() and len(read_trace(kept).time) == 5
