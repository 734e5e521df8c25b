"""Soft contacts in the record: one row a region, the sum of its points."""
from ..contact.record import CONTACTS, POINTS, ROWS, SLIDING
from ..kernel import kernel


@kernel
def write_soft_contacts(record, p, found):
    """A row for every region with a point that pushes, at its centre of pressure."""
    k = 0
    while k < p.count[0]:
        first, f = k, p.region[k]
        while k < p.count[0] and p.region[k] == f:
            k += 1
        push, sliding = 0.0, 0
        e = record.used[CONTACTS]
        point, normal, force, torque = (record.contact_vector[e, 0], record.contact_vector[e, 1], record.contact_vector[e, 2],
                                        record.contact_vector[e, 3])
        for j in range(3):
            point[j] = force[j] = torque[j] = 0.0
            normal[j] = found.normal[f, j]
        ux, uy, uz = 0.0, 0.0, 0.0
        for l in range(first, k):
            if p.pushes[l] != 1:
                continue
            F, n = p.force[l], p.normal[l]
            weight = F[0] * n[0] + F[1] * n[1] + F[2] * n[2]
            push += weight
            sliding += p.slides[l]
            ux, uy, uz = ux + weight * p.u[l, 0], uy + weight * p.u[l, 1], uz + weight * p.u[l, 2]
            for j in range(3):
                point[j] += weight * p.place[l, j]
                force[j] += F[j]
        if push <= 0.0:
            continue
        for j in range(3):
            point[j] /= push
        depth, q = 0.0, record.used[POINTS]
        for l in range(first, k):
            if p.pushes[l] != 1:
                continue
            F = p.force[l]
            x, y, z = p.place[l, 0] - point[0], p.place[l, 1] - point[1], p.place[l, 2] - point[2]
            torque[0] += y * F[2] - z * F[1]
            torque[1] += z * F[0] - x * F[2]
            torque[2] += x * F[1] - y * F[0]
            depth = max(depth, -p.gap[l])
            for j in range(3):
                record.polygon[q, j] = found.origin[j] + p.place[l, j]
            q += 1
        n = found.normal[f]
        out = (ux * n[0] + uy * n[1] + uz * n[2]) / push
        ux, uy, uz = ux / push - out * n[0], uy / push - out * n[1], uz / push - out * n[2]
        # what moves along the surface and is braked slides, as in rigid contact's rows
        moving = sliding > 0 or ux * ux + uy * uy + uz * uz > SLIDING * SLIDING
        record.contact_slip[e] = 1 if moving and force[0] * ux + force[1] * uy + force[2] * uz <= 0.0 else 0
        for j in range(3):
            point[j] += found.origin[j]
        record.contact_step[e] = record.used[ROWS]
        record.contact_body[e, 0], record.contact_body[e, 1] = found.body[f], max(-1, found.other[f])
        record.contact_kind[e] = 0
        record.contact_number[e, 0], record.contact_number[e, 1] = found.friction[f], depth
        record.used[POINTS] = q
        record.used[CONTACTS] = e + 1
        record.polygon_start[e + 1] = q
