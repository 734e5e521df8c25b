"""Tests share their makers of random systems by name, wherever pytest is started."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "engine"))
