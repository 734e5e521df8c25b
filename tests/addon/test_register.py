"""Enabling and disabling leaves Blender as it was."""
import subprocess
import sys
from pathlib import Path

import bpy
import heft

FROM_SOURCE = Path(__file__).resolve().parents[1] / "extension/heft_from_source.py"


def registered() -> dict:
    """what an add-on could leave behind"""
    handlers = {name: list(found) for name in dir(bpy.app.handlers) if isinstance(found := getattr(bpy.app.handlers, name), list)}
    classes = {cls.__name__ for base in (bpy.types.Panel, bpy.types.Operator, bpy.types.PropertyGroup) for cls in base.__subclasses__()
               if cls.is_registered}
    owners = ("Scene", "Object", "PoseBone", "WindowManager")
    return {"handlers": handlers, "classes": classes, "operators": set(dir(bpy.ops.heft)),
            "properties": {owner: set(getattr(bpy.types, owner).bl_rna.properties.keys()) for owner in owners}}


def test_register_twice_leaves_nothing():
    before = registered()
    for _ in range(2):
        heft.register()
        during = registered()
        assert during["classes"] - before["classes"] == {"HEFT_OT_demo", "HEFT_OT_add_scene", "HEFT_PG_scene", "HEFT_PT_sidebar"}
        assert during["operators"] == {"demo", "add_scene"}
        heft.unregister()
        assert registered() == before


def test_registering_imports_no_numba():
    code = (f"import runpy, sys; runpy.run_path({str(FROM_SOURCE)!r}); import heft; heft.register(); "
            "print('loaded:', *sorted({'numba', 'heft.engine.kernel'} & set(sys.modules)))")
    # a Blender that has started by itself, or the module in a Python of its own
    blender = [bpy.app.binary_path, "--background", "--factory-startup", "--python-exit-code", "1", "--python-expr"]
    command = blender if bpy.app.binary_path else [sys.executable, "-c"]
    output = subprocess.run([*command, code], capture_output=True, text=True, check=True).stdout
    assert "loaded:" in output.split("\n"), output
