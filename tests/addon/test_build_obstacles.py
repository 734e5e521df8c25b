"""Obstacles and the ground that bodies carry are drawn where the engine has them, at every frame."""
import bpy
import numpy as np
from heft.addon.add_trace import add_trace
from heft.engine.collision.build_shapes import Obstacle
from heft.engine.collision.paths import Path, path_poses
from heft.engine.model.build import build
from heft.engine.model.character import Body, Character, Frame, Joint, Shape
from heft.engine.model.state import State
from heft.engine.simulate import simulate

PUSHER = Obstacle("pusher", (Shape("box", (0.05, 0.3, 0.1), Frame((0.1, 0, 0))), Shape("sphere", (0.1,))),
                  Path([0, 0.4], [(-2, 0, 0.2), (-1, 0, 0.2)], [(1, 0, 0, 0), (np.cos(0.5), 0, 0, np.sin(0.5))]))
WALL = Obstacle("wall", (Shape("box", (0.1, 1, 1)),), Path([0], [(5, 0, 1)]))
MESH = Shape("mesh", points=np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], float), triangles=np.array([[0, 1, 2]]))


def scene():
    ball = Character("ball", (Body("ball", 1.0, (1, 1, 1), joint=Joint("free"), shapes=(Shape("sphere", (0.1,)),)),))
    ground = Body("ground", 1.0, (1, 1, 1), joint=Joint("fixed", socket=Frame((0, 0, -3))), shapes=(MESH,))
    system = build(ball, Character("yard", (ground,)), gravity=(0, 0, 0))
    return system, simulate(system, State.rest(system), 0.5, 0.01)


def test_obstacles_are_where_their_paths_are_at_every_frame():
    system, trace = scene()
    add_trace(5, trace, system, [PUSHER, WALL])
    pusher, part = bpy.data.objects["pusher"], bpy.data.objects["pusher box"]
    places, turns = path_poses("", PUSHER.path, trace.time[trace.frame_step])
    for k in range(len(places)):
        bpy.context.scene.frame_set(5 + k)
        np.testing.assert_allclose(pusher.matrix_world.translation, places[k], atol=1e-5)
        np.testing.assert_allclose(abs(np.dot(pusher.matrix_world.to_quaternion(), turns[k])), 1, atol=1e-6)
        expected = places[k] + 0.1 * np.array([1 - 2 * turns[k, 3] ** 2, 2 * turns[k, 0] * turns[k, 3], 0])
        np.testing.assert_allclose(part.matrix_world.translation, expected, atol=1e-5)
    assert tuple(pusher.animation_data.action.frame_range) == (5, 4 + len(places))
    assert bpy.data.objects["wall"].animation_data is None and bpy.data.objects["wall box"].matrix_world.translation.x == 5
    assert "pusher sphere" in bpy.data.objects


def test_the_mesh_of_a_fixed_body_is_drawn_where_it_is():
    system, trace = scene()
    add_trace(1, trace, system)
    thing = bpy.data.objects["yard/ground mesh"]
    bpy.context.view_layer.update()
    assert len(thing.data.polygons) == 1 and tuple(thing.matrix_world.translation) == (0, 0, -3)
