"""Motions: glTF nodes and VTK points are where the results say."""

import json
import struct

import numpy as np
import pyvista


def poses(folder):
    """Times, and for each body its positions and Euler parameters over time."""
    header = json.loads((folder / "channels.json").read_text())
    names = [channel["name"] for channel in header["channels"]]
    rows = np.fromfile(folder / "rows.f64", "<f8").reshape(-1, 1 + len(names))
    column = {name: rows[:, 1 + k] for k, name in enumerate(names)}
    bodies = {}
    for channel in header["channels"]:
        if channel["group"] == "Positions" and channel["name"].endswith(".x"):
            body = channel["name"][:-2]
            if f"{body}.e0" in column:
                r = np.stack([column[f"{body}.{c}"] for c in "xyz"], 1)
                p = np.stack([column[f"{body}.e{k}"] for k in range(4)], 1)
            else:
                half = column[f"{body}.angle"] / 2
                zero = np.zeros_like(half)
                r = np.stack([column[f"{body}.x"], column[f"{body}.y"], zero], 1)
                p = np.stack([np.cos(half), zero, zero, np.sin(half)], 1)
            bodies[body] = (r, p)
    return rows[:, 0], bodies


def gltf(folder, path):
    data = path.read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    document, binary = json.loads(data[20 : 20 + length]), data[20 + length + 8 :]

    def numbers(accessor):
        accessor = document["accessors"][accessor]
        view = document["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        return np.frombuffer(binary, "<f4", accessor["count"] * width, start).reshape(-1, width)

    t, bodies = poses(folder)
    animation = document["animations"][0]
    seen, rings = 0, {}
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        name, what = document["nodes"][channel["target"]["node"]]["name"], channel["target"]["path"]
        times, values = numbers(sampler["input"])[:, 0], numbers(sampler["output"])
        assert np.allclose(times, t - t[0], atol=1e-6)
        if " ring " in name:
            rings.setdefault(name, {})[what] = values
            continue
        r, p = bodies[name]
        for k in (0, len(t) // 2, len(t) - 1):
            if what == "translation":
                assert np.allclose(values[k], r[k], atol=1e-5 * (1 + abs(r[k]).max())), (name, k)
            else:
                # x, y, z, w; both signs mean the same
                w = np.roll(values[k], 1)
                assert abs(abs(w @ p[k]) - 1) < 1e-5, (name, k)
        seen += 1
    assert seen == 2 * len(bodies), (seen, len(bodies))
    for skin in document.get("skins", []):
        joints = [document["nodes"][joint]["name"] for joint in skin["joints"]]
        # both ends of a beam are nodes of it
        places = np.stack([r for r, _ in bodies.values()])
        for end in (joints[0], joints[-1]):
            away = np.abs(places - rings[end]["translation"]).max(axis=(1, 2))
            assert away.min() < 1e-5, (end, away.min())
    return f"{len(bodies)} glTF nodes at three times, {len(document.get('skins', []))} skins"


def turned(p, s):
    e0, e = p[0], p[1:]
    return s + 2 * np.cross(e, np.cross(e, s) + e0 * s)


def fields(poly, moved):
    """Displacement is what points have moved by; strain and stress are numbers on beams alone, in one proportion."""
    beam = np.zeros(poly.n_points, bool)
    beam[poly.regular_faces[poly.cell_data["beam"] >= 0]] = True
    assert np.allclose(poly.point_data["displacement"], moved, atol=1e-5)
    strain, stress = poly.point_data["strain"], poly.point_data["stress"]
    assert np.isfinite(strain[beam]).all() and np.isnan(strain[~beam]).all()
    large = beam & (abs(strain) > 0.1 * abs(strain[beam]).max()) & (strain != 0)
    if large.any():
        modulus = stress[large] / strain[large]
        assert np.allclose(modulus, modulus[0], rtol=1e-5), modulus


def vtk(folder, path):
    t, bodies = poses(folder)
    reader = pyvista.get_reader(path)
    assert np.allclose(reader.time_values, t)
    first, start = None, None
    for k in (0, len(t) // 2, len(t) - 1):
        reader.set_active_time_point(k)
        poly = reader.read()[0]
        points = np.asarray(poly.points, float)
        start = points if start is None else start
        if "beam" in poly.cell_data:
            fields(poly, points - start)
        owner = poly.cell_data["body"]
        corners = poly.regular_faces
        body_of = np.full(len(points), -2)
        body_of[corners] = owner[:, None]
        if "beam" in poly.cell_data:
            # corners of beams are not those of one body
            body_of[corners[poly.cell_data["beam"] >= 0]] = -2
        # points keep their place in the axes of their bodies; those of no triangle do not count
        own = np.where(body_of[:, None] == -2, 0, points)
        for number, (r, p) in enumerate(bodies.values()):
            mine = body_of == number
            own[mine] = turned(p[k] * [1, -1, -1, -1], points[mine] - r[k])
        if first is None:
            first = own
        assert np.allclose(own, first, atol=1e-4), k
    return f"{len(first)} VTK points at three times"
