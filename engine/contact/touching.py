"""From regions that touch to virtual links: place, frame and corners (source 000, 4.2 and Fig 2), and which of them hang together."""
import math

from ..kernel import kernel
from .virtual_links import add_velocity

TOUCH = 2e-5                                      # m; corners nearer than this touch


@kernel
def write_links(links, c, region, found, n):
    """a virtual link, from number n on, for every region with a corner that touches: place, frame and corners (4.2)"""
    corners = 0
    for f in range(found.count[0]):
        first = corners
        x, y, z, touching = 0.0, 0.0, 0.0, 0
        for k in range(found.vertex_start[f], found.vertex_start[f + 1]):
            if found.gap[k] <= TOUCH:
                x, y, z, touching = x + found.vertex[k, 0], y + found.vertex[k, 1], z + found.vertex[k, 2], touching + 1
        if touching == 0 or n == links.body.shape[0]:
            continue
        place, frame = links.place[n], links.frame[n]
        place[0], place[1], place[2] = x / touching, y / touching, z / touching
        write_frame(frame, found.normal[f])
        spread = 0.0
        for k in range(found.vertex_start[f], found.vertex_start[f + 1]):
            if found.gap[k] <= TOUCH:
                a, b = 0.0, 0.0
                for j in range(3):
                    a += frame[0, j] * (found.vertex[k, j] - place[j])
                    b += frame[1, j] * (found.vertex[k, j] - place[j])
                c.corner[corners, 0], c.corner[corners, 1] = a, b
                c.approach[corners] = found.gap[k]          # turned into a speed by write_targets
                spread += a * a + b * b
                corners += 1
        # radius of gyration of the region under even pressure, from that of its corners
        links.length[n] = max(math.sqrt(spread / (3.0 * touching)), 0.01)
        c.corner_start[n + 1] = corners
        c.arm[n] = mean_distance(c, first, corners)
        c.static_friction[n], c.dynamic_friction[n] = found.friction[f], found.dynamic_friction[f]
        links.body[n], links.other[n] = found.body[f], max(-1, found.other[f])
        for j in range(6):
            c.held[n, j] = 0.0
            c.compliance[n, j] = 0.0
            links.drive[n, j] = 0.0
        links.ratio[n] = 0.0
        if found.other[f] <= -2:
            o = -2 - found.other[f]
            add_velocity(links.drive[n], links, n, found.obstacle_V[o], found.obstacle_x[o], 1.0)
        region[n] = f
        n += 1
    links.count[0] = n


@kernel
def write_frame(frame, normal):
    """rows: two tangents and the normal"""
    a, b, c = normal[0], normal[1], normal[2]
    # the world axis that is least along the normal gives the first tangent
    if abs(a) <= abs(b) and abs(a) <= abs(c):
        x, y, z = 1.0 - a * a, -a * b, -a * c
    elif abs(b) <= abs(c):
        x, y, z = -b * a, 1.0 - b * b, -b * c
    else:
        x, y, z = -c * a, -c * b, 1.0 - c * c
    n = 1.0 / math.sqrt(x * x + y * y + z * z)
    x, y, z = x * n, y * n, z * n
    frame[0, 0], frame[0, 1], frame[0, 2] = x, y, z
    frame[1, 0], frame[1, 1], frame[1, 2] = b * z - c * y, c * x - a * z, a * y - b * x
    frame[2, 0], frame[2, 1], frame[2, 2] = a, b, c


@kernel
def mean_distance(c, first, end):
    """from the middle, under even pressure: over triangles with the middle as their tip, two thirds of the mean along the
    outer edge, which Simpson's rule gives"""
    if end - first == 1:
        return 0.0
    if end - first == 2:
        return 0.5 * math.sqrt(c.corner[first, 0] ** 2 + c.corner[first, 1] ** 2)
    total, area = 0.0, 0.0
    for k in range(first, end):
        n = k + 1 if k + 1 < end else first
        ax, ay, bx, by = c.corner[k, 0], c.corner[k, 1], c.corner[n, 0], c.corner[n, 1]
        mx, my = 0.5 * (ax + bx), 0.5 * (ay + by)
        weight = abs(ax * by - ay * bx)
        edge = (math.sqrt(ax * ax + ay * ay) + 4.0 * math.sqrt(mx * mx + my * my) + math.sqrt(bx * bx + by * by)) / 6.0
        total += weight * edge
        area += weight
    return 2.0 / 3.0 * total / max(area, 1e-12)


@kernel
def write_grips(c, r):
    """Where the friction of link r's corners acts: nearer to p_v than they are, so that it turns as hard as that of even pressure. p_v is
    that of the impulses to start from, the last step's."""
    first, end = c.corner_start[r], c.corner_start[r + 1]
    distance, push, x, y = 0.0, 0.0, 0.0, 0.0
    for k in range(first, end):
        distance += math.sqrt(c.corner[k, 0] ** 2 + c.corner[k, 1] ** 2) / (end - first)
        P = c.corner_impulse[k, 2]
        push, x, y = push + P, x + P * c.corner[k, 0], y + P * c.corner[k, 1]
    share = c.arm[r] / distance if distance > 0.0 else 1.0
    x, y = (x / push, y / push) if push > 0.0 else (0.0, 0.0)
    for k in range(first, end):
        c.grip[k, 0], c.grip[k, 1] = x + share * (c.corner[k, 0] - x), y + share * (c.corner[k, 1] - y)


@kernel
def write_islands(links, m, label):
    """links that are connected through trees get one island"""
    for t in range(label.shape[0]):
        label[t] = t
    for r in range(links.count[0]):
        if links.other[r] >= 0:
            a, b = m.tree[links.body[r]], m.tree[links.other[r]]
            while label[a] != a:
                a = label[a]
            while label[b] != b:
                b = label[b]
            label[max(a, b)] = min(a, b)
    for r in range(links.count[0]):
        a = m.tree[links.body[r]]
        while label[a] != a:
            a = label[a]
        links.island[r] = a


@kernel
def write_start(start, links, d, m, v):
    """start (nl, 6): velocities of the links as the step begins. Needs update_velocity."""
    for r in range(links.count[0]):
        for j in range(6):
            start[r, j] = -links.drive[r, j]
        for side in range(2):
            i = links.body[r] if side == 0 else links.other[r]
            if links.ratio[r] != 0.0:
                k = m.axis_start[i]
                start[r, 0] += (1.0 if side == 0 else -links.ratio[r]) * m.ratio[k] * v[m.dof[k]]
            elif i >= 0:
                add_velocity(start[r], links, r, d.V[i], d.origin[m.tree[i]], 1.0 if side == 0 else -1.0)
