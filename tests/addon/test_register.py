"""Enabling and disabling leaves Blender as it was."""
import subprocess
import sys

import bpy
import heft


def registered() -> dict:
    """what an add-on could leave behind"""
    handlers = {name: list(found) for name in dir(bpy.app.handlers) if isinstance(found := getattr(bpy.app.handlers, name), list)}
    classes = {cls.__name__ for base in (bpy.types.Panel, bpy.types.Operator, bpy.types.PropertyGroup) for cls in base.__subclasses__()
               if cls.is_registered}
    return {"handlers": handlers, "classes": classes, "operators": set(dir(bpy.ops.heft)),
            "properties": {owner: set(getattr(bpy.types, owner).bl_rna.properties.keys()) for owner in ("Scene", "Object", "PoseBone")}}


def test_register_twice_leaves_nothing():
    before = registered()
    for _ in range(2):
        heft.register()
        during = registered()
        assert during["classes"] - before["classes"] == {"HEFT_OT_demo", "HEFT_PT_sidebar"}
        assert during["operators"] == {"demo"}
        heft.unregister()
        assert registered() == before


def test_registering_imports_no_numba():
    code = "import sys, heft; heft.register(); print('numba' in sys.modules, 'heft.engine.kernel' in sys.modules)"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert output.strip().splitlines()[-1] == "False False"
