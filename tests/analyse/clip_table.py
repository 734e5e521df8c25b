"""The open clips as they are, before anything is corrected.

    .venv/bin/python tests/analyse/clip_table.py

prints the tables of docs/analyse.md: figures of all clips of ../shared/data, and what longer contacts bring.
"""
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "motion"))

import numpy as np
from clips import CMU_CLIPS, DEEPMIMIC_CLIPS, cmu, deepmimic
from heft.engine.analyse import analyse
from heft.engine.forces.extend_contacts import extend_contacts
from heft.engine.motion.source import Source, make_source

FPS = 120.0                                      # DeepMimic's 16 to 60 Hz are resampled


def source(name: str, low_pass: float | None) -> Source:
    if name in CMU_CLIPS:
        return make_source(cmu(name), low_pass_frequency=low_pass)
    return make_source(deepmimic(name), low_pass_frequency=low_pass, fps=FPS)


def residuals(report: dict) -> str:
    return f"{100 * report['residual_force_rms_BW']:.1f} / {report['residual_moment_rms_Nm']:.1f}"


def main() -> None:
    print("| clip | s | residual 6 Hz | 10 Hz | 10 Hz, contacts extended | ZMP outside % | flight error % g | deepest mm | skate mm/s "
          "| jitter 10 m/s^3 | positive work J | largest torque N m | ms |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    for name in (*CMU_CLIPS, *DEEPMIMIC_CLIPS):
        smooth, usual = source(name, 6.0), source(name, 10.0)
        longer = analyse(usual._replace(contacts=extend_contacts(usual))).report
        r = analyse(usual).report
        seconds = []
        for _ in range(5):
            started = time.perf_counter()
            analyse(usual)
            seconds.append(time.perf_counter() - started)
        flight = f"{100 * r['flight_fall_error_rms_g']:.0f}" if r["flight_frames"] else "–"
        print(f"| {name} | {r['seconds']:.1f} | {residuals(analyse(smooth).report)} | {residuals(r)} | {residuals(longer)} | "
              f"{100 * r['zmp_outside_share']:.0f} | {flight} | {r['deepest_mm']:.0f} | {r['skate_mean_mm_s']:.0f} | "
              f"{r['jitter_10m_s3']:.1f} | {r['motor_work_positive_J']:.0f} | {r['peak_torque_Nm']:.0f} {r['peak_torque_joint']} | "
              f"{1000 * np.median(seconds):.0f} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
