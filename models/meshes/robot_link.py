"""Writes robot_link.inp: a tapered link of 0.5 m, hexahedra that bend, with the sets `base` and `tip` of its end faces.

    python3 robot_link.py > robot_link.inp
"""

LENGTH, HEIGHTS, WIDTHS = 0.5, (0.06, 0.03), (0.04, 0.02)
NX, NY, NZ = 20, 2, 2


def number(i, j, k):
    return 1 + k + (NZ + 1) * (j + (NY + 1) * i)


def main():
    print("*HEADING\nLink of a robot arm, 0.5 m, 60 x 40 mm tapered to 30 x 20 mm\n*NODE")
    for i in range(NX + 1):
        s = i / NX
        height = HEIGHTS[0] + s * (HEIGHTS[1] - HEIGHTS[0])
        width = WIDTHS[0] + s * (WIDTHS[1] - WIDTHS[0])
        for j in range(NY + 1):
            for k in range(NZ + 1):
                x, y, z = LENGTH * s, width * (j / NY - 0.5), height * (k / NZ - 0.5)
                print(f"{number(i, j, k)}, {x:.9g}, {y:.9g}, {z:.9g}")
    print("*ELEMENT, TYPE=C3D8I, ELSET=link")
    element = 0
    for i in range(NX):
        for j in range(NY):
            for k in range(NZ):
                element += 1
                bottom = [(i, j, k), (i + 1, j, k), (i + 1, j + 1, k), (i, j + 1, k)]
                nodes = bottom + [(a, b, c + 1) for a, b, c in bottom]
                print(", ".join(str(n) for n in [element] + [number(*node) for node in nodes]))
    for name, i in (("base", 0), ("tip", NX)):
        print(f"*NSET, NSET={name}")
        face = [number(i, j, k) for j in range(NY + 1) for k in range(NZ + 1)]
        print(", ".join(str(n) for n in face))


main()
