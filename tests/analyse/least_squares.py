"""Non-negative least squares the slow way, and cones as many edges: what the fit is compared with."""
import numpy as np

try:
    from scipy.optimize import nnls as scipy_nnls
except ImportError:
    scipy_nnls = None


def nnls(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """x >= 0 with the least |A x - b|: scipy's where it is there, else Lawson and Hanson's algorithm (1974, ch. 23)."""
    if scipy_nnls is not None:
        return scipy_nnls(A, b)[0]
    x, passive = np.zeros(A.shape[1]), np.zeros(A.shape[1], bool)
    gradient = A.T @ b
    while (~passive).any() and gradient[~passive].max() > 1e-11:
        passive[np.flatnonzero(~passive)[np.argmax(gradient[~passive])]] = True
        while True:
            wanted = np.zeros(len(x))
            wanted[passive] = np.linalg.lstsq(A[:, passive], b, rcond=None)[0]
            if wanted[passive].min() > 0:
                break
            bad = passive & (wanted <= 0)
            x = x + (x[bad] / (x[bad] - wanted[bad])).min() * (wanted - x)
            passive &= x > 1e-14
            x[~passive] = 0
        x = wanted
        gradient = A.T @ (b - A @ x)
    return x


def cone_columns(points: np.ndarray, normals: np.ndarray, mu: float, edges: int) -> np.ndarray:
    """(6, points * edges) wrenches of unit pushes along the edges of the cones"""
    columns = []
    for x, n in zip(points, normals):
        u = np.cross(n, [1.0, 0, 0] if abs(n[0]) < 0.9 else [0, 1.0, 0])
        u /= np.linalg.norm(u)
        w = np.cross(n, u)
        for angle in 2 * np.pi * np.arange(edges) / edges:
            f = n + mu * (np.cos(angle) * u + np.sin(angle) * w)
            columns.append(np.concatenate([f, np.cross(x, f)]))
    return np.array(columns).T
