"""How much torque is left at a speed: the straight line of a motor, the hyperbola of a muscle (Hill 1938)."""
from ..kernel import kernel


@kernel
def share_left(x, curvature, eccentric):
    """the limit at speed x (of the top speed, along the torque) over that at rest"""
    if x >= 1.0:
        return 0.0
    if x >= 0.0:
        return (1.0 - x) / (1.0 + curvature * x)
    if eccentric == 1.0:
        return 1.0
    # from 1 with the same slope towards its own height
    rise = eccentric - 1.0
    return eccentric - rise / (1.0 - (1.0 + curvature) * x / rise)


@kernel
def share_slope(x, curvature, eccentric):
    """how fast that falls with x"""
    if x >= 1.0:
        return 0.0
    if x >= 0.0:
        return (1.0 + curvature) / (1.0 + curvature * x) ** 2
    if eccentric == 1.0:
        return 0.0
    rise = eccentric - 1.0
    return (1.0 + curvature) / (1.0 - (1.0 + curvature) * x / rise) ** 2
