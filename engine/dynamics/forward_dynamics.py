"""Forward dynamics by the cheaper of two roads, which give the same accelerations.

The articulated-body algorithm costs the same for every body. The mass matrix costs more the deeper a tree is, but for a
character (13 links, four blocks deep) its vectors of four win by a third; a rope of a hundred links is another matter.
"""
from ..kernel import kernel
from .articulated_body import aba
from .inverse_dynamics import update_bias
from .mass_matrix import factor, solve, update_mass_matrix


@kernel
def forward_dynamics(a, d, m, tau):
    """a = M^-1 (tau - bias), with tau all forces on the dofs. Needs update_kinematics."""
    if m.shallow:
        update_bias(d.bias, d, m)
        update_mass_matrix(d, m)
        factor(d, m)
        for k in range(a.shape[0]):
            a[k] = tau[k] - d.bias[k]
        solve(a, d, m)
    else:
        aba(a, d, m, tau)
