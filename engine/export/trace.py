"""The trace: every step of a bake, for anyone's engine (format version 1, conventions of MuJoCo; see METRICS.md).

Rows follow the exported MJCF: a column of qvel is an axis of ours, body 0 is the world.
"""
import os
import zipfile
from dataclasses import dataclass, field, fields

import numpy as np

from ..errors import HeftError
from .files import replacing

VERSION = 1


def _no_indices() -> np.ndarray:
    return np.zeros(0, np.int64)


def _no_numbers() -> np.ndarray:
    return np.zeros(0)


def _no_vectors() -> np.ndarray:
    return np.zeros((0, 3))


@dataclass
class Trace:
    """Sizes: S steps, K contacts, P region vertices, I impacts, L impulses, F frames, A motors. SI units, world axes."""
    time: np.ndarray                                 # (S,) s
    qpos: np.ndarray                                 # (S, nq)
    qvel: np.ndarray                                 # (S, nv)
    qacc: np.ndarray                                 # (S, nv) the acceleration that the step used
    tau: np.ndarray                                  # (S, nv) motors, springs, dampers, limits, gears; zero on free joints

    contact_step: np.ndarray = field(default_factory=_no_indices)  # (K,)
    contact_body: np.ndarray = field(default_factory=_no_indices)  # (K,) index in the MJCF
    contact_other: np.ndarray = field(default_factory=_no_indices)  # (K,) index in the MJCF
    contact_point: np.ndarray = field(default_factory=_no_vectors)  # (K, 3)
    contact_normal: np.ndarray = field(default_factory=_no_vectors)  # (K, 3) into the body
    contact_force: np.ndarray = field(default_factory=_no_vectors)  # (K, 3) on the body
    contact_torque: np.ndarray = field(default_factory=_no_vectors)  # (K, 3) about the point
    contact_mu: np.ndarray = field(default_factory=_no_numbers)  # (K,) friction coefficient in force
    contact_depth: np.ndarray = field(default_factory=_no_numbers)  # (K,) m, not negative
    contact_kind: np.ndarray = field(default_factory=_no_indices)  # (K,) 0 contact, 1 grab or pin
    contact_slip: np.ndarray = field(default_factory=_no_indices)  # (K,) 1 where the friction law lets it slide
    polygon_start: np.ndarray = field(default_factory=lambda: np.zeros(1, np.int64))         # (K + 1,)
    polygon_points: np.ndarray = field(default_factory=_no_vectors)  # (P, 3) vertices of the contact regions

    # impacts: all or none
    impact_step: np.ndarray | None = None            # (I,)
    impact_qpos: np.ndarray | None = None            # (I, nq)
    impact_qvel_before: np.ndarray | None = None     # (I, nv)
    impulse_impact: np.ndarray | None = None         # (L,)
    impulse_body: np.ndarray | None = None           # (L,)
    impulse_other: np.ndarray | None = None          # (L,)
    impulse_kind: np.ndarray | None = None           # (L,) 0 contact, 1 grab
    impulse_point: np.ndarray | None = None          # (L, 3)
    impulse_linear: np.ndarray | None = None         # (L, 3) N s
    impulse_angular: np.ndarray | None = None        # (L, 3) N m s
    impulse_normal: np.ndarray | None = None         # (L, 3)
    impulse_mu: np.ndarray | None = None             # (L,)

    frame_step: np.ndarray = field(default_factory=_no_indices)  # (F,) the step of each baked frame
    contact_solver: np.ndarray | None = None         # (S,) 0 hypothesis and check, 1 corner by corner, 2 the latter stopped short
    contact_energy: np.ndarray | None = None         # (S,) J, in the springs of soft contact

    # where effort comes from; optional
    tau_motor: np.ndarray | None = None              # (S, nv)
    tau_passive: np.ndarray | None = None            # (S, nv)
    tau_limit: np.ndarray | None = None              # (S, nv)
    motor_dof: np.ndarray | None = None              # (A,)
    current: np.ndarray | None = None                # (S, A) A
    voltage: np.ndarray | None = None                # (S, A) V

    fps: float = 0.0                                 # frames a second; not in the file, which has times and frame_step

    def __repr__(self) -> str:
        span = f"{self.time[0]:g} to {self.time[-1]:g} s, " if len(self.time) else ""
        return f"Trace({len(self.time)} steps, {span}{len(self.frame_step)} frames, {len(self.contact_step)} contacts)"


SHAPES = {
    "time": ("S",), "qpos": ("S", "nq"), "qvel": ("S", "nv"), "qacc": ("S", "nv"), "tau": ("S", "nv"),
    **{f"contact_{name}": ("K",) for name in ("step", "body", "other", "mu", "depth", "kind", "slip")},
    **{f"contact_{name}": ("K", 3) for name in ("point", "normal", "force", "torque")},
    "polygon_start": ("K+1",), "polygon_points": ("P", 3),
    "impact_step": ("I",), "impact_qpos": ("I", "nq"), "impact_qvel_before": ("I", "nv"),
    **{f"impulse_{name}": ("L",) for name in ("impact", "body", "other", "kind", "mu")},
    **{f"impulse_{name}": ("L", 3) for name in ("point", "linear", "angular", "normal")},
    "frame_step": ("F",), "contact_solver": ("S",), "contact_energy": ("S",),
    "tau_motor": ("S", "nv"), "tau_passive": ("S", "nv"), "tau_limit": ("S", "nv"),
    "motor_dof": ("A",), "current": ("S", "A"), "voltage": ("S", "A")}
INTEGERS = {"contact_step", "contact_body", "contact_other", "contact_kind", "contact_slip", "polygon_start", "impact_step",
            "impulse_impact", "impulse_body", "impulse_other", "impulse_kind", "frame_step",
            "contact_solver", "motor_dof"}


def write_trace(path: str | os.PathLike, trace: Trace) -> None:
    """Write `trace` to `path` as npz: whole or not at all."""
    arrays = _checked("trace", trace)
    with replacing(path) as part, open(part, "wb") as file:
        np.savez(file, version=np.int64(VERSION), **arrays)


def read_trace(path: str | os.PathLike) -> Trace:
    """The trace at `path`."""
    name = f"trace '{path}'"
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {entry: file[entry] for entry in file.files}
    except OSError as error:
        raise HeftError(f"{name} can't be read: {error.strerror or error}") from error
    except (ValueError, EOFError, AttributeError, TypeError, zipfile.BadZipFile) as error:
        raise HeftError(f"{name} is not an npz of numbers as write_trace makes them: {error}") from error
    version = arrays.pop("version", None)
    if version is None or version != VERSION:
        raise HeftError(f"{name} has version {version}, must be {VERSION}")
    missing = [entry for entry in ("time", "qpos", "qvel", "qacc", "tau") if entry not in arrays]
    if missing:
        raise HeftError(f"{name} lacks {', '.join(missing)}")
    trace = Trace(**{entry: array for entry, array in arrays.items() if entry in SHAPES})
    for entry, array in _checked(name, trace).items():
        setattr(trace, entry, array)
    frames = trace.frame_step
    if len(frames) and not (0 <= frames.min() and frames.max() < len(trace.time)):
        raise HeftError(f"{name}: frame_step names step {frames.max()}, but there are {len(trace.time)}")
    if len(frames) > 1:
        trace.fps = float((len(frames) - 1) / (trace.time[frames[-1]] - trace.time[frames[0]]))
    return trace


def _checked(where: str, trace: Trace) -> dict[str, np.ndarray]:
    """the arrays of the file, with the format's types; raises where one has another shape"""
    arrays: dict[str, np.ndarray] = {}
    for entry in fields(trace):
        value = getattr(trace, entry.name)
        if entry.name in SHAPES and value is not None:
            try:
                arrays[entry.name] = np.ascontiguousarray(value, np.int64 if entry.name in INTEGERS else np.float64)
            except (TypeError, ValueError):
                raise HeftError(f"{where}: {entry.name} must be an array of numbers") from None
    sizes: dict[str, int] = {}
    for name, array in arrays.items():
        wanted = SHAPES[name]
        if array.ndim != len(wanted):
            raise HeftError(f"{where}: {name} has shape {array.shape}, must have {len(wanted)} dimensions")
        for size, letter in zip(array.shape, wanted):
            if isinstance(letter, int):
                expected = letter
            elif letter == "K+1":
                expected = sizes["K"] + 1
            else:
                expected = sizes.setdefault(letter, size)
            if size != expected:
                raise HeftError(f"{where}: {name} has shape {array.shape}, expected {expected} for {letter}")
    impacts = [name for name in SHAPES if name.startswith(("impact_", "impulse_"))]
    missing = [name for name in impacts if name not in arrays]
    if missing and len(missing) < len(impacts):
        raise HeftError(f"{where}: impacts need {', '.join(missing)} too")
    return arrays
