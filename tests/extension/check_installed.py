"""Runs inside a Blender: is the extension installed, does it come and go cleanly, do its own wheels compile, also after it was
switched off and on again?

    blender --background --python check_installed.py           after `--command extension install-file`
    python check_installed.py ZIP                              the bpy module, which installs ZIP first

Prints one line of JSON after "HEFT "; an exception is a failure.
"""
import importlib
import json
import os
import sys
import time

import bpy

MODULE = "bl_ext.user_default.heft"


def main() -> None:
    started = time.perf_counter()
    if sys.argv[-1].endswith(".zip"):
        bpy.ops.extensions.package_install_files(filepath=sys.argv[-1], repo="user_default", enable_on_install=True)
    assert MODULE in bpy.context.preferences.addons, f"not enabled: {sorted(bpy.context.preferences.addons.keys())}"

    before = set(dir(bpy.types))
    for _ in range(2):
        check_engine()
        assert bpy.ops.preferences.addon_disable(module=MODULE) == {"FINISHED"}
        assert MODULE not in bpy.context.preferences.addons and not dir(bpy.ops.heft)
        assert bpy.ops.preferences.addon_enable(module=MODULE) == {"FINISHED"}
        assert MODULE in bpy.context.preferences.addons and sorted(dir(bpy.ops.heft)) == ["add_scene", "demo"]
    assert set(dir(bpy.types)) == before
    check_engine()

    import numba
    import numpy as np
    profile = os.path.realpath(os.environ["BLENDER_USER_RESOURCES"])
    print("HEFT " + json.dumps({
        "blender": bpy.app.version_string, "python": sys.version.split()[0], "numpy": np.__version__, "numba": numba.__version__,
        "numba_file": os.path.relpath(numba.__file__, profile), "seconds": round(time.perf_counter() - started, 2)}), flush=True)


def check_engine() -> None:
    """the wheels of the extension, and a kernel by them"""
    import numba
    import numpy as np
    kernel = importlib.import_module(f"{MODULE}.engine.kernel")
    rotations = importlib.import_module(f"{MODULE}.engine.algebra.rotations")
    profile = os.path.realpath(os.environ["BLENDER_USER_RESOURCES"])
    assert os.path.realpath(numba.__file__).startswith(profile + os.sep), numba.__file__
    assert os.path.realpath(kernel.__file__).startswith(profile + os.sep), kernel.__file__
    assert kernel.COMPILED
    out = np.empty(4)
    rotations.quaternion_exp(out, np.array([0.0, 0.0, np.pi / 2]))
    np.testing.assert_allclose(out, [np.sqrt(0.5), 0, 0, np.sqrt(0.5)], atol=1e-15)


main()
