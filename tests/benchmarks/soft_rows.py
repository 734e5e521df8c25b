"""Steps with soft contact: the standing figure against MuJoCo, the motion a second that each model gives at large steps, and
assembly-disassembly from 10 to 1,000 bodies."""
import numpy as np
from heft.engine.contact.record import allocate_record
from heft.engine.contact.run import run_contact
from heft.engine.contact.world import allocate_world
from heft.engine.dynamics.articulated_body import aba
from heft.engine.dynamics.assembly import allocate_assembly, assembly_disassembly
from heft.engine.dynamics.data import allocate
from heft.engine.dynamics.kinematics import update_kinematics
from heft.engine.effort.drives import no_drives
from heft.engine.kernel import kernel
from heft.engine.model.build import build
from heft.engine.model.character import Body, Character, Frame, Joint
from heft.engine.scenes import SCENES, Scene
from heft.engine.soft.laws import SMOOTH
from heft.engine.soft.materials import largest_smooth_step
from heft.engine.soft.run import run_explicit, run_implicit
from heft.engine.soft.world import allocate_soft
from heft.tests.benchmarks.contact_rows import mujoco_runner
from heft.tests.benchmarks.medians import medians, row
from heft.tests.engine.random_systems import random_state

SAFE = {"rigid": 0.005, "compliant": 0.005}       # s; chosen, not searched for: the falling figure stays finite and lawful there


@kernel
def assemblies(a, w, d, m, q, v, tau, count):
    for _ in range(count):
        update_kinematics(d, m, q, v)
        assembly_disassembly(a, w, d, m, tau)


@kernel
def articulated(a, d, m, q, v, tau, count):
    for _ in range(count):
        update_kinematics(d, m, q, v)
        aba(a, d, m, tau)


def runner(scene: Scene, contact: str, settle: float, seconds: float, step: float):
    """a function that runs `seconds` from the scene's state after `settle` s, and that state"""
    m = scene.system.model
    world, soft = allocate_soft(scene.system, scene.holds)
    if contact == "rigid":
        world = allocate_world(scene.system, scene.holds)
    record = allocate_record(m, int((settle + seconds) / step * 1.5) + 100, len(world.links.body))
    q, v, clock, drives = scene.state.q.copy(), scene.state.v.copy(), np.zeros(4), no_drives(m)

    def go(end: float) -> None:
        record.used[:] = 0
        soft.points.last_count[0] = 0
        if contact == "rigid":
            run_contact(record, q, v, clock, world, drives, step, end)
        elif contact == "compliant":
            run_implicit(record, q, v, clock, world, soft, drives, step, end)
        else:
            run_explicit(record, q, v, clock, world, soft, drives, step, end, SMOOTH, False)
    if settle:
        go(settle)
    start = q.copy(), v.copy(), clock.copy()

    def run() -> None:
        q[:], v[:], clock[:] = start
        go(start[2][0] + seconds)
    run()
    return run, start


def stand_against_mujoco() -> dict:
    scene, step, seconds = SCENES["stand"](), 0.001, 1.0
    ours, start = runner(scene, "compliant", 0.1, seconds, step)
    theirs, data = mujoco_runner(scene, start, round(seconds / step))
    us, peer = medians(round(seconds / step), ours, theirs)
    return row("soft-stand-step-vs-mujoco", us, peer, "mj_step", "us", 1.0, f"compliant, 1 ms; {data.ncon} contact points there")


def seconds_a_second() -> list[dict]:
    """2 s of the falling figure, smooth at its stability limit: wall seconds a simulated second, against real time"""
    rows = []
    for contact in ("rigid", "compliant", "smooth"):
        scene = SCENES["fall"]()
        step = SAFE.get(contact) or largest_smooth_step(scene.system, (), "euler")
        run, _ = runner(scene, contact, 0.0, 2.0, step)
        spent = medians(1, run)[0] / 1e6 / 2.0
        rows.append(row(f"fall-{contact}", spent, 1.0, "real time", "s", 1.0, f"steps of {1000 * step:.2g} ms, {1 / spent:.0f} s a second"))
    return rows


def cost_per_body() -> dict:
    """chains of hinges; every size moves as many bodies a repeat"""
    sizes, total, runs = (10, 30, 100, 300, 1000), 10000, []
    for size in sizes:
        joints = [Joint("hinge", Frame((0.1, 0, 0)), axis=(0, i % 2, 1 - i % 2)) for i in range(size)]
        bodies = [Body(f"b{i}", 1.0, (0.1, 0.1, 0.1), f"b{i - 1}" if i else None, joint) for i, joint in enumerate(joints)]
        m = build(Character("chain", tuple(bodies))).model
        d, w, a, tau = allocate(m), allocate_assembly(m), np.zeros(m.nv), np.zeros(m.nv)
        q, v = random_state(np.random.default_rng(0), m)
        runs.append(lambda a=a, w=w, d=d, m=m, q=q, v=v, tau=tau, n=total // size: assemblies(a, w, d, m, q, v, tau, n))
        if size == 100:
            runs.append(lambda a=a, d=d, m=m, q=q, v=v, tau=tau, n=total // size: articulated(a, d, m, q, v, tau, n))
    costs = medians(total, *runs)
    by_aba = costs.pop(3)
    shown = ", ".join(f"{size}: {cost:.3f}" for size, cost in zip(sizes, costs))
    return row("assembly-cost-per-body", max(costs), costs[0], "10 bodies", "us", 1.5,
               f"assembly-disassembly, chain of hinges, {shown}; articulated-body algorithm at 100: {by_aba:.3f}")


def soft_rows() -> list[dict]:
    return [stand_against_mujoco(), *seconds_a_second(), cost_per_body()]
