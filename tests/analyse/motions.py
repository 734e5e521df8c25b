"""Motions whose forces are known."""
import numpy as np
from heft.engine.algebra.quaternions import exponentials, products, rotated
from heft.engine.motion.source import Source, make_source
from rigs import skeleton, still_clip, turned

FPS = 120.0


def eased(T, first, last):
    """(T,) from 0 to 1 between two frames, with no jump in acceleration"""
    s = np.clip((np.arange(T) - first) / (last - first), 0, 1)
    return s ** 3 * (10 - 15 * s + 6 * s * s)


def standing(frames: int = 60) -> Source:
    return make_source(still_clip(skeleton("cmu"), frames))


def lowering(side: str = "Left", frames: int = 240) -> Source:
    """an arm goes from level to the side of the body and back, both feet on the ground"""
    up = 0.9 * (eased(frames, 60, 120) - eased(frames, 140, 200)) * (1 if side == "Left" else -1)
    return make_source(turned(still_clip(skeleton("cmu"), frames), f"{side}Arm", (0, 1, 0), up))


def placed(source: Source, q: np.ndarray, contacts=()) -> Source:
    """the same character with other coordinates"""
    motion = source.motion
    times = np.arange(len(q)) / motion.fps
    return source._replace(motion=motion._replace(times=times, q=q), contacts=tuple(contacts))


def moved(source: Source, turn: float, by) -> Source:
    """the motion elsewhere on the floor, turned about the vertical"""
    q = source.motion.q.copy()
    spin = exponentials(np.array([0, 0, turn]))[None]
    q[:, :3] = rotated(spin, q[:, :3]) + np.array([*by, 0.0])
    q[:, 3:7] = products(spin, q[:, 3:7])
    return source._replace(motion=source.motion._replace(q=q))
