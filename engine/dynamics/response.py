"""How a force on one body moves another: the operators T, S and Theta of source 001 (2.8).

A force passes from body i up to the lowest body that carries both, is answered there by Theta, and the acceleration passes
down to body j. Needed wherever contact forces are found by iteration. Members of a gear group answer each other through
their shared dofs. With W = S L^-T (D = L diag L^T) both operators are sums over the dofs: T = 1 - W diag^-1 (L^-1 U)^T and
001's S_cp = W diag^-1 W^T (there printed with a stray delta Z).
"""
from ..algebra.spatial import add_scaled6, dot6
from ..kernel import kernel


@kernel
def update_response(d, m):
    """Fill d.W and d.Theta. Needs update_articulated_inertia."""
    for i in range(m.parent.shape[0]):
        start = m.axis_start[i]
        for k in range(m.axis_start[i + 1] - start):
            for j in range(6):
                d.W[start + k, j] = d.SG[start + k, j]
            for l in range(k):
                add_scaled6(d.W[start + k], d.W[start + l], -d.D[m.dof[start + k], l])
    Z, A = d.scratch_motion[0], d.scratch_motion[1]
    for g in range(m.group_parent.shape[0]):
        p = m.group_parent[g]
        for e in range(m.group_start[g], m.group_start[g + 1]):
            i = m.group_body[e]
            # Theta_c = T Theta_p T^T - S, column by column
            for n in range(6):
                for j in range(6):
                    Z[j] = 1.0 if j == n else 0.0
                pass_up(Z, d, m, i)
                for j in range(6):
                    A[j] = dot6(d.Theta[p, j], Z) if p >= 0 else 0.0
                pass_down(A, d, m, i)
                for j in range(6):
                    Z[j] = 1.0 if j == n else 0.0
                answer_shared(A, d, m, i, i, Z)
                for j in range(6):
                    d.Theta[i, j, n] = A[j]


@kernel
def respond(out, d, m, i, j, force):
    """out (6,) = change of body j's acceleration when `force` acts on body i, each about the origin of its tree.
    Needs update_response. Cost grows with the depth of the two bodies, not with their number."""
    Z = d.scratch_motion[0]
    for n in range(6):
        out[n] = 0.0
        Z[n] = -force[n]                         # a force is a change of -Z (eq 19)
    a, b, below = i, j, 0
    while m.group[a] != m.group[b]:
        if m.group_depth[a] == 0 and m.group_depth[b] == 0:
            return                               # nothing carries both, not even a gear between their roots
        if m.group_depth[a] >= m.group_depth[b]:
            pass_up(Z, d, m, a)                  # dZ_p = T^T dZ_c
            a = m.group_parent[m.group[a]]
        else:
            d.climbed[below] = b
            below += 1
            b = m.group_parent[m.group[b]]
    if a == b:
        for n in range(6):
            out[n] = dot6(d.Theta[a, n], Z)
    else:
        p, at_parent = m.group_parent[m.group[a]], d.scratch_motion[1]
        for n in range(6):
            at_parent[n] = Z[n]
        pass_up(at_parent, d, m, a)
        for n in range(6):
            out[n] = dot6(d.Theta[p, n], at_parent) if p >= 0 else 0.0
        pass_down(out, d, m, b)
        answer_shared(out, d, m, b, a, Z)
    for n in range(below - 1, -1, -1):
        pass_down(out, d, m, d.climbed[n])       # dA_c = T dA_p


@kernel
def pass_up(Z, d, m, i):
    """Z becomes T^T Z: what of a force on body i reaches its parent"""
    start = m.axis_start[i]
    # both sums take the Z that came in: the dofs of a joint act at once
    for k in range(m.axis_start[i + 1] - start):
        d.shares[k] = dot6(d.W[start + k], Z) / d.D[m.dof[start + k], k]
    for k in range(m.axis_start[i + 1] - start):
        add_scaled6(Z, d.U[m.dof[start + k]], -d.shares[k])


@kernel
def pass_down(A, d, m, i):
    """A becomes T A: what of the parent's acceleration reaches body i"""
    start = m.axis_start[i]
    for k in range(m.axis_start[i + 1] - start):
        d.shares[k] = dot6(d.U[m.dof[start + k]], A) / d.D[m.dof[start + k], k]
    for k in range(m.axis_start[i + 1] - start):
        add_scaled6(A, d.W[start + k], -d.shares[k])


@kernel
def answer_shared(A, d, m, i, source, Z):
    """A -= W_i diag^-1 W_source^T Z: what body i's own joint gives way to a force on a body of its group"""
    start, other = m.axis_start[i], m.axis_start[source]
    for k in range(m.axis_start[i + 1] - start):
        add_scaled6(A, d.W[start + k], -dot6(d.W[other + k], Z) / d.D[m.dof[start + k], k])
