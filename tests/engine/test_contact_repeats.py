"""Two runs are the same to the bit."""

from heft.engine.scenes import SCENES
from heft.tests.engine.contact_runs import compiled, run


@compiled
def test_two_runs_are_bit_identical():
    one, two = run(SCENES["fall"](), 1.5), run(SCENES["fall"](), 1.5)
    assert one.qpos.tobytes() == two.qpos.tobytes() and one.contact_force.tobytes() == two.contact_force.tobytes()
