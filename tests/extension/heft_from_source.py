"""Makes this repository importable as `heft` in a Blender whose Python does not have it installed."""
import importlib.util
import sys
from pathlib import Path

root = Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("heft", root / "__init__.py", submodule_search_locations=[str(root)])
assert spec and spec.loader
sys.modules["heft"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["heft"])
