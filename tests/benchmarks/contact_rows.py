"""Steps with contact: the standing and the falling figure against MuJoCo, and many figures in one world."""
import mujoco
import numpy as np
from heft.engine.contact.record import allocate_record
from heft.engine.contact.run import run_contact
from heft.engine.contact.world import allocate_world
from heft.engine.effort.drives import no_drives
from heft.engine.export.mjcf import mjcf
from heft.engine.model.build import build
from heft.engine.model.character import Shape
from heft.engine.model.figure import STANDING_HEIGHT
from heft.engine.model.state import State
from heft.engine.scenes import SCENES, Scene
from heft.engine.scenes.figures import standing_figure
from heft.tests.benchmarks.medians import medians, row

STEP = 0.001
SOURCES_TOOK = 30e3                              # us a sample, source 000 on a computer of its time


def runner(scene: Scene, settle: float, seconds: float):
    """a function that steps from the scene's state after `settle` s on, and the number of its steps; the state it starts from"""
    m = scene.system.model
    world = allocate_world(scene.system, scene.holds)
    record = allocate_record(m, int((settle + seconds) / STEP * 1.5) + 100, len(world.links.body))
    q, v, clock, drives = scene.state.q.copy(), scene.state.v.copy(), np.zeros(4), no_drives(m)
    if settle:
        run_contact(record, q, v, clock, world, drives, STEP, settle)
    start = q.copy(), v.copy(), clock.copy()

    def run() -> None:
        q[:], v[:], clock[:] = start
        record.used[:] = 0
        run_contact(record, q, v, clock, world, drives, STEP, start[2][0] + seconds)
    run()
    return run, int(record.used[0]), start


def mujoco_runner(scene: Scene, start, count: int):
    """the same in MuJoCo: implicitfast, Newton"""
    model = mujoco.MjModel.from_xml_string(mjcf(scene.system))
    model.opt.integrator, model.opt.solver = mujoco.mjtIntegrator.mjINT_IMPLICITFAST, mujoco.mjtSolver.mjSOL_NEWTON
    model.opt.timestep = STEP
    data = mujoco.MjData(model)

    def run() -> None:
        mujoco.mj_resetData(model, data)
        data.qpos[:], data.qvel[:] = start[0], start[1]
        mujoco.mj_step(model, data, nstep=count)
    run()
    return run, data


def against_mujoco(name: str, settle: float, seconds: float) -> dict:
    scene = SCENES[name]()
    ours, steps, start = runner(scene, settle, seconds)
    count = round(seconds / STEP)
    theirs, data = mujoco_runner(scene, start, count)
    # both over the same seconds: where impacts cut our steps, a step is a millisecond of motion
    us, peer = medians(count, ours, theirs)
    note = f"detection, contact, integration; {steps / count:.2f} steps a ms, {data.ncon} contact points there at the end; " \
           f"{SOURCES_TOOK / us:,.0f} times as fast as the 30 ms a sample of the sources"
    return row(f"{name}-step-vs-mujoco", us, peer, "mj_step", "us", 0.5, note)


def many_figures() -> dict:
    """1, 4 and 16 figures standing side by side in one world: cost a figure"""
    runs = []
    for count in (1, 4, 16):
        system = build(*(standing_figure(name=f"figure{i}") for i in range(count)), shapes=(Shape("plane"),))
        state = State.rest(system)
        roots = system.model.q_start[system.model.tree_start[:-1]]
        for i, k in enumerate(roots):
            state.q[k:k + 3] = 1.5 * (i % 4), 1.5 * (i // 4), STANDING_HEIGHT
        runs.append((count, runner(Scene(system, state), 0.05, 0.2)[0]))
    costs = [cost / count for (count, _), cost in zip(runs, medians(200, *(run for _, run in runs)))]
    return row("cost-per-figure", max(costs), costs[0], "1 figure", "us", 1.5,
               "standing, " + ", ".join(f"{count}: {cost:.2f}" for (count, _), cost in zip(runs, costs)))


def contact_rows() -> list[dict]:
    return [against_mujoco("stand", 0.1, 1.0), against_mujoco("fall", 0.0, 2.0), against_mujoco("stack", 0.1, 1.0), many_figures()]
