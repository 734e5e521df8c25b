"""How fast we are, as ratios against a peer in the same run: python tests/benchmarks/bench.py --output build/bench.json

Our loops run inside a kernel, MuJoCo's inside mj_step. Pinocchio is called from Python, so the cost of such a call, measured
on a model of one joint, is taken off its times: to its favour, since that call also does the work of one joint.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import mujoco
import numpy as np
import pinocchio as pin
from heft.engine.dynamics.articulated_body import aba
from heft.engine.dynamics.data import allocate
from heft.engine.dynamics.forward_dynamics import forward_dynamics
from heft.engine.dynamics.integrate import euler_step
from heft.engine.dynamics.inverse_dynamics import rnea
from heft.engine.dynamics.kinematics import update_kinematics
from heft.engine.effort.drives import no_drives
from heft.engine.export.mjcf import mjcf
from heft.engine.kernel import kernel
from heft.engine.model.build import build
from heft.engine.model.character import Body, Character, Frame, Joint
from heft.engine.model.figure import figure
from heft.tests.benchmarks.contact_rows import contact_rows
from heft.tests.benchmarks.medians import medians, row
from heft.tests.benchmarks.soft_rows import soft_rows
from heft.tests.engine.random_systems import Pinocchio, random_state

COMPILE = """
import time; start = time.perf_counter()
from heft.engine import State, build, figure
from heft.engine.simulate import simulate
system = build(figure())
simulate(system, State.rest(system), 0.1)
print(time.perf_counter() - start)
"""


@kernel
def forward_by_aba(a, d, m, q, v, tau, count):
    for _ in range(count):
        update_kinematics(d, m, q, v)
        aba(a, d, m, tau)


@kernel
def forward(a, d, m, q, v, tau, count):
    for _ in range(count):
        update_kinematics(d, m, q, v)
        forward_dynamics(a, d, m, tau)


@kernel
def inverse(tau, d, m, q, v, a, count):
    for _ in range(count):
        update_kinematics(d, m, q, v)
        rnea(tau, d, m, a)


@kernel
def steps(q, v, d, m, drives, step, count):
    for _ in range(count):
        euler_step(q, v, d, m, drives, step, 0.0)


def called(function, *arguments, count: int):
    def run():
        for _ in range(count):
            function(*arguments)
    return run


def against_pinocchio() -> list[dict]:
    rng, count = np.random.default_rng(0), 2000
    system = build(figure())
    m, d, peer = system.model, allocate(system.model), Pinocchio(system)
    q, v = random_state(rng, m)
    a, tau = rng.normal(size=m.nv), rng.normal(0, 10, m.nv)
    out, q_pin = np.zeros(m.nv), peer.q(q)
    one = Pinocchio(build(Character("one", (Body("one", 1.0, (1.0, 1.0, 1.0), joint=Joint("hinge")),))))
    x = np.zeros(1)
    ours, by_aba, theirs, call = medians(
        count, lambda: forward(out, d, m, q, v, tau, count), lambda: forward_by_aba(out, d, m, q, v, tau, count),
        called(pin.aba, peer.model, peer.data, q_pin, v, tau, count=count), called(pin.aba, one.model, one.data, x, x, x, count=count))
    ours_inverse, theirs_inverse, call_inverse = medians(
        count, lambda: inverse(out, d, m, q, v, a, count), called(pin.rnea, peer.model, peer.data, q_pin, v, a, count=count),
        called(pin.rnea, one.model, one.data, x, x, x, count=count))
    return [
        row("forward-dynamics-vs-pinocchio", ours, theirs - call, "pin.aba", "us", 0.8,
            f"by the mass matrix; by the articulated-body algorithm {by_aba:.2f}; {call:.2f} us of Python's call taken off {theirs:.2f}"),
        row("inverse-dynamics-vs-pinocchio", ours_inverse, theirs_inverse - call_inverse, "pin.rnea", "us", 1.0,
            f"{call_inverse:.2f} us of Python's call taken off {theirs_inverse:.2f}")]


def against_mujoco() -> list[dict]:
    count, step = 1000, 1e-5                     # 15 repeats fall for 0.15 s: both stay near the same motion
    system = build(figure())
    m, d = system.model, allocate(system.model)
    q, v = random_state(np.random.default_rng(0), m)
    peer = mujoco.MjModel.from_xml_string(mjcf(system))
    peer.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    peer.opt.integrator, peer.opt.timestep = mujoco.mjtIntegrator.mjINT_EULER, step
    state = mujoco.MjData(peer)
    state.qpos[:], state.qvel[:] = q, v
    drives = no_drives(m)
    ours, theirs = medians(count, lambda: steps(q, v, d, m, drives, step, count), lambda: mujoco.mj_step(peer, state, nstep=count))
    drift = np.abs(q - state.qpos).max()
    return [row("free-step-vs-mujoco", ours, theirs, "mj_step", "us", 0.6, f"euler_step; after the run coordinates differ by {drift:.1e}")]


def chain_runs(size: int, rounds: int):
    """forward dynamics of a chain of `size` hinges, `rounds` times"""
    joints = [Joint("hinge", Frame((0.1, 0, 0)), axis=(0, i % 2, 1 - i % 2)) for i in range(size)]
    bodies = [Body(f"b{i}", 1.0, (0.1, 0.1, 0.1), f"b{i - 1}" if i else None, joint) for i, joint in enumerate(joints)]
    m = build(Character("chain", tuple(bodies))).model
    d, a, tau = allocate(m), np.zeros(m.nv), np.zeros(m.nv)
    q, v = random_state(np.random.default_rng(0), m)
    return lambda: forward_by_aba(a, d, m, q, v, tau, rounds)


def cost_per_body() -> list[dict]:
    sizes, total = (10, 30, 100, 300, 1000), 30000         # every size moves as many bodies a repeat, and sizes take turns
    costs = medians(total, *(chain_runs(size, total // size) for size in sizes))
    shown = ", ".join(f"{size}: {cost:.3f}" for size, cost in zip(sizes, costs))
    return [row("cost-per-body", max(costs), costs[0], "10 bodies", "us", 1.5, f"chain of hinges, {shown}")]


def compile_times() -> list[dict]:
    """import, build and simulate the figure for a tenth of a second, in a new process"""
    with tempfile.TemporaryDirectory() as folder:
        run = lambda: float(subprocess.run([sys.executable, "-c", COMPILE], env={**os.environ, "HEFT_CACHE_DIR": folder},
                                           capture_output=True, text=True, check=True).stdout)
        cold = run()
        warm = float(np.median([run() for _ in range(3)]))
    return [row("compile-cold", cold, 15.0, "goal", "s", 1.0, "import to the end of a first simulate, empty cache"),
            row("compile-warm", warm, 1.0, "goal", "s", 1.0, "the same, second process")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, help="write the table as JSON")
    output = parser.parse_args().output
    rows = [*against_pinocchio(), *against_mujoco(), *cost_per_body(), *contact_rows(), *soft_rows(), *compile_times()]
    print(f"{'':31}{'ours':>9}{'peer':>9}     {'ratio':>6} {'goal':>5}")
    for r in rows:
        verdict = "ok  " if r["ratio"] <= r["goal"] else "over"
        print(f"{r['name']:31}{r['ours']:9.3f}{r['peer']:9.3f} {r['unit']:3} {r['ratio']:6.2f} {r['goal']:5.2f} {verdict} "
              f"{r['peer_name']}; {r['note']}")
    if output:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
