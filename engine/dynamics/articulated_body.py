"""Forward dynamics in O(N): the accelerations that given forces produce.

Articulated-body algorithm as source 001 derives it (eqs 17-26), with its gears inside the recursion (2.6, 2.7, eqs 30-40).
In world axes about the root 001's X_cp is the identity. Bodies that share dofs form a group: a follower that hangs on
another member takes that one's axes along (eqs 32, 35) and then counts as a child of the group's parent, so that serial
coupling becomes parallel coupling; a body without a gear is a group of one.
"""
from ..algebra.spatial import add_cross_force, add_scaled6, dot6, inertia_matrix, inertia_times, symmetric_times
from ..kernel import kernel
from .inverse_dynamics import add_lift


@kernel
def aba(a, d, m, tau):
    """a = M^-1 (tau - bias), with tau all forces on the dofs. Needs update_kinematics."""
    update_articulated_inertia(d, m)
    update_articulated_bias(d, m, tau)
    accelerate(a, d, m)


@kernel
def update_articulated_inertia(d, m):
    """Fill d.IA, SG, U, D: what depends on the pose alone (001, eqs 18, 25, 39)."""
    IA, SG, U, D = d.IA, d.SG, d.U, d.D
    for i in range(m.parent.shape[0]):
        inertia_matrix(IA[i], d.I[i])
        if d.loaded[i]:
            for j in range(6):
                add_scaled6(IA[i, j], d.added[i, j], 1.0)
        # a follower's axes and those it rides on: S_2 = S_1 + ratio S_2 (eq 32)
        for k in range(m.axis_start[i], m.axis_start[i + 1]):
            for j in range(6):
                SG[k, j] = d.S[k, j]
        if m.group_inner[i]:
            p = m.parent[i]
            for j in range(m.axis_start[i + 1] - m.axis_start[i]):
                add_scaled6(SG[m.axis_start[i] + j], SG[m.axis_start[p] + j], 1.0)

    for g in range(m.group_parent.shape[0] - 1, -1, -1):
        p, first = m.group_parent[g], m.group_body[m.group_start[g]]
        start = m.axis_start[first]
        n = m.axis_start[first + 1] - start
        k0 = m.dof[start] if n else 0
        # U = sum I S and the block D = S^T U (eq 39)
        for k in range(n):
            for j in range(6):
                U[k0 + k, j] = 0.0
                D[k0 + k, j] = 0.0
            D[k0 + k, k] = d.diagonal[k0 + k]
        for e in range(m.group_start[g], m.group_start[g + 1]):
            i = m.group_body[e]
            s = m.axis_start[i]
            for k in range(n):
                force = d.scratch_motion[0]
                symmetric_times(force, IA[i], SG[s + k])
                add_scaled6(U[k0 + k], force, 1.0)
                for l in range(k + 1):
                    D[k0 + k, l] += dot6(SG[s + l], force)
        # D = L diag L^T; then U becomes L^-1 U
        for k in range(n):
            for l in range(k):
                x = D[k0 + k, l]
                for j in range(l):
                    x -= D[k0 + k, j] * D[k0 + j, j] * D[k0 + l, j]
                x /= D[k0 + l, l]
                D[k0 + k, k] -= x * x * D[k0 + l, l]
                D[k0 + k, l] = x
                add_scaled6(U[k0 + k], U[k0 + l], -x)
        # I_p += sum I - U D^-1 U^T (eqs 25, 39)
        if p >= 0:
            for e in range(m.group_start[g], m.group_start[g + 1]):
                i = m.group_body[e]
                for j in range(6):
                    for l in range(6):
                        IA[p, j, l] += IA[i, j, l]
            for k in range(k0, k0 + n):
                inverse = 1.0 / D[k, k - k0]
                for j in range(6):
                    add_scaled6(IA[p, j], U[k], -U[k, j] * inverse)


@kernel
def update_articulated_bias(d, m, tau):
    """Fill d.ZA, CG, u: what depends on velocities and forces (001, eqs 19, 26, 40). Needs update_articulated_inertia."""
    IA, SG, U, D, ZA, CG, u = d.IA, d.SG, d.U, d.D, d.ZA, d.CG, d.u
    momentum = d.scratch_motion[0]
    for i in range(m.parent.shape[0]):
        # Z = V x* I V - external (eq 19)
        inertia_times(momentum, d.I[i], d.V[i])
        for j in range(6):
            ZA[i, j] = -d.external[i, j]
            CG[i, j] = d.C[i, j]
        add_cross_force(ZA[i], d.V[i], momentum)
        if m.group_inner[i]:
            add_scaled6(CG[i], CG[m.parent[i]], 1.0)            # eq 35
    add_lift(ZA, d, m, -1.0)

    for g in range(m.group_parent.shape[0] - 1, -1, -1):
        p, first = m.group_parent[g], m.group_body[m.group_start[g]]
        start = m.axis_start[first]
        n = m.axis_start[first + 1] - start
        k0 = m.dof[start] if n else 0
        for k in range(n):
            u[k0 + k] = tau[k0 + k]
        for e in range(m.group_start[g], m.group_start[g + 1]):
            i = m.group_body[e]
            s = m.axis_start[i]
            symmetric_times(momentum, IA[i], CG[i])
            add_scaled6(ZA[i], momentum, 1.0)                   # Z + I C
            for k in range(n):
                u[k0 + k] -= dot6(SG[s + k], ZA[i])
            if p >= 0:
                add_scaled6(ZA[p], ZA[i], 1.0)
        # u becomes L^-1 u, and Z_p takes U D^-1 u (eqs 26, 40)
        for k in range(n):
            for l in range(k):
                u[k0 + k] -= D[k0 + k, l] * u[k0 + l]
            if p >= 0:
                add_scaled6(ZA[p], U[k0 + k], u[k0 + k] / D[k0 + k, k])


@kernel
def accelerate(a, d, m):
    """a and d.A from the root outward (001, eqs 15, 22, 38). Needs update_articulated_bias."""
    U, D, u, A = d.U, d.D, d.u, d.A
    base = d.scratch_motion[0]
    for g in range(m.group_parent.shape[0]):
        p, first = m.group_parent[g], m.group_body[m.group_start[g]]
        start = m.axis_start[first]
        n = m.axis_start[first + 1] - start
        k0 = m.dof[start] if n else 0
        for j in range(3):
            base[j] = A[p, j] if p >= 0 else -m.gravity[j]
            base[3 + j] = A[p, 3 + j] if p >= 0 else 0.0
        # a = D^-1 (u - U^T A_p), with D = L diag L^T
        for k in range(n - 1, -1, -1):
            x = (u[k0 + k] - dot6(U[k0 + k], base)) / D[k0 + k, k]
            for l in range(k + 1, n):
                x -= D[k0 + l, k] * a[k0 + l]
            a[k0 + k] = x
        # A_i = A_p + S a + C
        for e in range(m.group_start[g], m.group_start[g + 1]):
            i = m.group_body[e]
            for j in range(6):
                A[i, j] = base[j] + d.CG[i, j]
            for k in range(n):
                add_scaled6(A[i], d.SG[m.axis_start[i] + k], a[k0 + k])
