"""Drives in explicit steps: forces of a moment, and the stages of motors' currents beside those of the motion."""
from ..kernel import kernel
from .drives import CURRENT, FRICTION, MOTOR, TORQUE, VOLTAGE
from .force import update_commands


@kernel
def update_forces(p, m, q, v, time):
    """Fill p.applied, p.force and p.friction at this moment, for the currents p.stage_current."""
    update_commands(p, m, q, v, time, 0.0)
    for j in range(p.axis.shape[0]):
        A, S = p.applied[j], p.sides[j]
        level = min(max(p.wanted[j, 0], S[2]), S[0])
        A[TORQUE] = p.K[j] * p.stage_current[j] if p.kind[j] == MOTOR else level
        A[FRICTION] = -p.D[j] * p.speed[j]
        A[CURRENT] = p.stage_current[j]
        A[VOLTAGE] = level if p.kind[j] == MOTOR else 0.0
        p.force[j, 0] = A[TORQUE]
        p.friction[j, 0] = A[FRICTION]


@kernel
def write_stage_rate(p, s):
    """p.stage_rate[s]: the current that each motor tends to, or its rate (004, eq 26). Needs update_forces."""
    for j in range(p.axis.shape[0]):
        if p.kind[j] == MOTOR:
            drop = p.applied[j, VOLTAGE] - p.K[j] * p.speed[j]
            p.stage_rate[s, j] = drop / p.R[j] if p.exponential[0] else (drop - p.R[j] * p.stage_current[j]) / p.L[j]


@kernel
def write_stage_current(p, tableau, s, step):
    """p.stage_current of stage s; of the whole step where s is their number"""
    for j in range(p.axis.shape[0]):
        if p.kind[j] == MOTOR:
            i = p.current[j] * (p.decay[j, s] if p.exponential[0] else 1.0)
            for r in range(min(s, tableau.shape[1])):
                i += (p.weight[j, s, r] if p.exponential[0] else step * tableau[s, r]) * p.stage_rate[r, j]
            p.stage_current[j] = i


@kernel
def current_error(p, tableau, step):
    """the largest error of a current by the tableau's last row, A"""
    worst = 0.0
    for j in range(p.axis.shape[0]):
        if p.kind[j] == MOTOR and not p.exponential[0]:
            x = 0.0
            for s in range(tableau.shape[1]):
                x += step * tableau[tableau.shape[1] + 1, s] * p.stage_rate[s, j]
            worst = max(worst, abs(x))
    return worst


@kernel
def keep_first(p):
    for j in range(p.axis.shape[0]):
        for c in range(4):
            p.first[j, c] = p.applied[j, c]
