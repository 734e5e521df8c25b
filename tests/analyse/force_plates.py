"""Forces from kinematics alone against force plates and OpenSim, on the data of ../shared/data/forceplate.

    .venv/bin/python tests/analyse/force_plates.py

prints the table of docs/analyse.md. Every body of OpenSim's model is a free body here, moved as its file says, so that joints of any kind
are exact; soles are measured from the foot bodies; contacts are found as for any clip.
"""
import json
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from heft.engine import Body, Character, Joint, Shape, build
from heft.engine.algebra.quaternions import continuous, exponentials, products, rotated
from heft.engine.forces.fit_forces import fit_forces
from heft.engine.forces.touching import touching_points
from heft.engine.humanoid.feet import Sole
from heft.engine.motion.contacts import find_contacts
from heft.engine.motion.features import features
from heft.engine.motion.manifold import derivatives

DATA = Path(__file__).resolve().parents[3] / "shared/data/forceplate"
Z_UP = exponentials(np.array([np.pi / 2, 0, 0]))
HALF_WIDTH, TOE, HEEL = 0.04, 0.07, 0.0          # m; the heel's back is where OpenSim has the foot's frame
LOADED, UNLOADED = 20.0, 5.0                     # N: a foot that carries, one that does not


class Trial(NamedTuple):
    folder: str
    name: str
    mass: float                     # kg, of the subject as the plates weigh it
    start: float                    # s, where the plates are valid
    end: float
    treadmill: bool = False


TRIALS = (Trial("subject01_walk", "walk", 72.6, 0.45, 1.55, True), Trial("opencap_s4", "walking1", 62.6, 0.12, 1.20),
          Trial("opencap_s4", "walking2", 62.6, 0.12, 1.20), Trial("opencap_s4", "squats1", 60.05, 0.12, np.inf),
          Trial("opencap_s4", "static1", 60.05, 0.12, np.inf))


class Figures(NamedTuple):
    """Errors against the plates: forces in weights, centres of pressure in m."""
    frames: int
    vertical: float                 # rms of the total vertical force: fitted inside cones and soles
    plain_vertical: float           # the same of plain inverse dynamics, which has no contacts
    opensim_vertical: float         # OpenSim's: what it leaves at the pelvis after the measured forces
    single: int                     # frames on one foot
    pressure: float                 # rms of the centre of pressure on one foot
    plain_pressure: float           # the same of plain inverse dynamics
    feet: float                     # rms of the vertical force of each foot, all frames
    residual: float                 # what stays open


def table(path: Path) -> dict[str, np.ndarray]:
    with open(path) as file:
        names = file.readline().strip().split(",")
    return dict(zip(names, np.loadtxt(path, delimiter=",", skiprows=1).T))


def opensim_table(path: Path) -> dict[str, np.ndarray]:
    lines = path.read_text().splitlines()
    head = next(k for k, line in enumerate(lines) if line.strip().lower() == "endheader")
    rows = np.array([line.split() for line in lines[head + 2:] if line.strip()], float)
    return dict(zip(lines[head + 1].split(), rows.T))


def read_trial(trial: Trial):
    """system, times and coordinates (T, 7 bodies), Z up"""
    folder = DATA / trial.folder
    described = json.loads(next(folder.glob("bodies*.json")).read_text())
    scale = trial.mass / described["total_mass_kg"]
    poses = table(folder / f"{trial.name}_body_poses.csv")
    bodies, q = [], []
    for body in described["bodies"]:
        xx, yy, zz, xy, xz, yz = scale * np.array(body["inertia_about_com_kgm2_xx_yy_zz_xy_xz_yz"])
        name = body["name"]
        bodies.append(Body(name, scale * body["mass_kg"], np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), None, Joint("free"),
                           body["com_in_body_m"]))
        q.append(rotated(Z_UP, np.stack([poses[f"{name}_p{k}"] for k in "xyz"], 1)))
        q.append(continuous(products(Z_UP[None], np.stack([poses[f"{name}_q{k}"] for k in "wxyz"], 1))))
    gravity = rotated(Z_UP, np.array(described["gravity_m_s2"], float))
    system = build(Character(trial.folder, tuple(bodies)), gravity=gravity, shapes=(Shape("plane"),))
    return system, poses["time"], np.concatenate(q, axis=1)


def make_soles(system, q: np.ndarray) -> list[Sole]:
    """each as deep below its frames as they stand: the fifth percentile of their heights"""
    place = lambda name: q[:, 7 * system.names.index(name):][:, :3]
    soles = []
    for side in "lr":
        foot, toe = f"calcn_{side}", f"toes_{side}"
        depths = [np.percentile(place(name)[:, 2], 5) for name in (foot, toe)]
        edge = lambda x, depth: np.array([[x, -depth, -HALF_WIDTH], [x, -depth, HALF_WIDTH]])
        down, ahead = np.array([0.0, -1, 0]), np.array([1.0, 0, 0])
        length = float(np.linalg.norm(place(toe) - place(foot), axis=1).mean())
        soles.append(Sole(side.upper(), foot, toe, edge(HEEL, depths[0]), edge(0.0, depths[1]), edge(TOE, depths[1]),
                          edge(length, depths[0]), down, down, ahead, ahead))
    return soles


def belt_speed(system, times: np.ndarray, q: np.ndarray) -> float:
    """m/s: how fast feet go back while they are low, by the median of the lower heel's"""
    heels = np.stack([q[:, 7 * system.names.index(name):][:, :3] for name in ("toes_l", "toes_r")], 1)
    speed = np.gradient(heels[..., 0], times, axis=0)
    low = np.argmin(heels[..., 2], axis=1)
    return float(-np.median(np.take_along_axis(speed, low[:, None], 1)))


def measured(trial: Trial, times: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """of each foot: force (T, 3) N and centre of pressure (T, 3) m, Z up"""
    plates = table(DATA / trial.folder / f"{trial.name}_grf.csv")
    at = lambda name: np.interp(times, plates["time"], plates[name])
    return {side[0]: tuple(rotated(Z_UP, np.stack([at(f"{side}_{what}{k}") for k in "xyz"], 1)) for what in ("f", "cop_"))
            for side in ("right", "left")}


def judge(trial: Trial, friction: float = 0.8) -> Figures:
    system, times, q = read_trial(trial)
    fps = (len(times) - 1) / (times[-1] - times[0])
    shift = belt_speed(system, times, q) * (times - times[0]) if trial.treadmill else 0 * times
    q[:, 0::7] += shift[:, None]
    soles = make_soles(system, q)
    contacts = find_contacts(system, q, fps, soles)
    points = touching_points(system, q, fps, contacts, features(system, soles), system.shapes)
    fit = fit_forces(system, q, *derivatives(system.model, q, 1 / fps), points, friction, 1.75)
    weight = trial.mass * np.linalg.norm(system.model.gravity)
    plates = measured(trial, times)
    inside = (times >= trial.start - 1e-6) & (times <= trial.end + 1e-6) & (times <= times[-1] - 0.05)
    up = sum(force[:, 2] for force, _ in plates.values())
    T = len(times)
    feet = {side: np.bincount(points.frame[own], fit.force[own, 2], minlength=T) for side in "rl"
            for own in [np.isin(points.body, [system.names.index(f"{name}_{side}") for name in ("calcn", "toes")])]}
    given = sum(feet.values())
    # centres of pressure in the lab, where the plates are
    total = np.maximum(given, 1.0)
    fitted = np.stack([np.bincount(points.frame, fit.force[:, 2] * points.point[:, k], minlength=T) / total for k in (0, 1)], 1)
    level = next(iter(plates.values()))[1][:, 2].max()
    down = level - fit.com[:, 2]
    plain = fit.com[:, :2] + np.stack([down * fit.needed[:, 0] - fit.needed[:, 4], down * fit.needed[:, 1] + fit.needed[:, 3]], 1
                                      ) / fit.needed[:, 2:3]
    for places in (fitted, plain):
        places[:, 0] -= shift
    errors, plain_errors = [], []
    for side, other in ("rl", "lr"):
        force, centre = plates[side]
        alone = inside & (force[:, 2] > LOADED) & (plates[other][0][:, 2] < UNLOADED)
        errors.append(np.linalg.norm(fitted[alone] - centre[alone, :2], axis=1))
        plain_errors.append(np.linalg.norm(plain[alone] - centre[alone, :2], axis=1))
    rms = lambda x: float(np.sqrt(np.mean(np.square(x)))) if len(x) else float("nan")
    opensim = opensim_table(DATA / trial.folder / f"{trial.name}_opensim_id.sto")
    their = np.interp(times, opensim["time"], opensim["pelvis_ty_force"])
    errors, plain_errors = np.concatenate(errors), np.concatenate(plain_errors)
    return Figures(int(inside.sum()), rms((given - up)[inside]) / weight, rms((fit.needed[:, 2] - up)[inside]) / weight,
                   rms(their[inside]) / weight, len(errors), rms(errors), rms(plain_errors),
                   rms(np.concatenate([(feet[side] - plates[side][0][:, 2])[inside] for side in "rl"])) / weight,
                   rms(np.linalg.norm(fit.residual[inside, :3], axis=1)) / weight)


def main() -> None:
    print("| trial | frames | vertical force, % BW: Heft | plain | OpenSim | one foot: frames | centre of pressure, mm: Heft | plain "
          "| each foot, % BW | residual, % BW |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for trial in TRIALS:
        f = judge(trial)
        print(f"| {trial.folder} {trial.name} | {f.frames} | {100 * f.vertical:.1f} | {100 * f.plain_vertical:.1f} | "
              f"{100 * f.opensim_vertical:.1f} | {f.single} | {1000 * f.pressure:.0f} | {1000 * f.plain_pressure:.0f} | "
              f"{100 * f.feet:.1f} | {100 * f.residual:.1f} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
