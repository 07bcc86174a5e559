#!/usr/bin/env python3
"""Makes the table of GeoidModel from a gravity model, or measures the error of the table in the sources.

Usage: geoid_table.py EGM2008_360.gfc >Sources/Location/LocationModel/Geodesic/GeoidModel+Table.swift
       geoid_table.py EGM2008_360.gfc --measure [FOLDER]

EGM2008_360.gfc: NGA's EGM2008 (Pavlis and others 2008), public domain, in ICGEM's format, to degree 360. The source
archive of brahe 1.0.0 on PyPI has it in data/gravity_models. FOLDER has egm96-15.pgm, NGA's EGM96 in the format of
GeographicLib, from data/ in the source archive of srtm4 1.2.5 on PyPI; the table is then also measured against
GeoidEval (Debian: geographiclib-tools). Needs numpy, and for --measure global-land-mask from PyPI.
"""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np

TABLE = Path(__file__).resolve().parents[2] / "Sources/Location/LocationModel/Geodesic/GeoidModel+Table.swift"
STEP = 5
# WGS 84 (NIMA TR8350.2): semi-major axis, flattening, GM, rotation, normal gravity at the equator, Somigliana's k.
A, F, GM, OMEGA, GRAVITY, K = 6378137.0, 1 / 298.257223563, 3.986004418e14, 7.292115e-5, 9.7803253359, 0.00193185265241
E2 = F * (2 - F)
# The term of degree 0 for WGS 84, with which NGA publishes EGM2008's undulations.
ZERO_DEGREE = -0.41
SEED = 2008


class GravityModel:
    """The undulations of a model of spherical harmonics (Heiskanen and Moritz 1967, 2-152).

    They are heights of the quasigeoid. The geoid is lower in mountains, by up to 3.5 m in the highest.
    """

    def __init__(self, path):
        with open(path) as file:
            words = [line.split() for line in file]
        header = {line[0]: line[1] for line in words if len(line) == 2}
        self.gm, self.radius = float(header["earth_gravity_constant"]), float(header["radius"])
        self.degree = int(header["max_degree"])
        self.c, self.s = np.zeros((2, self.degree + 1, self.degree + 1))
        for line in words:
            if line and line[0] == "gfc":
                n, m = int(line[1]), int(line[2])
                self.c[n, m], self.s[n, m] = (float(word.replace("d", "e")) for word in line[3:5])
        self.c[0, 0] = 0
        for n, zonal in self.normal_zonals():
            self.c[n, 0] += zonal / np.sqrt(2 * n + 1) * (GM / self.gm) * (A / self.radius) ** n

    @staticmethod
    def normal_zonals():
        """Yields J2n of the ellipsoid's own field (Heiskanen and Moritz 1967, 2-90 and 2-92)."""
        second = np.sqrt(E2 / (1 - E2))
        rotation = OMEGA**2 * A**3 * (1 - F) / GM
        q = ((1 + 3 / second**2) * np.arctan(second) - 3 / second) / 2
        j2 = E2 / 3 * (1 - 2 / 15 * rotation * second / q)
        for n in range(1, 11):
            yield 2 * n, (-1) ** (n + 1) * 3 * E2**n / ((2 * n + 1) * (2 * n + 3)) * (1 - n + 5 * n * j2 / E2)

    def parallel(self, latitude, longitudes):
        """Returns the undulations at places of one latitude, in metres."""
        phi = np.radians(latitude)
        curvature = np.sqrt(1 - E2 * np.sin(phi) ** 2)
        axial, polar = A / curvature * np.cos(phi), A / curvature * (1 - E2) * np.sin(phi)
        r = np.hypot(axial, polar)
        gravity = GRAVITY * (1 + K * np.sin(phi) ** 2) / curvature
        scale = self.gm / (r * gravity) * (self.radius / r) ** np.arange(self.degree + 1)[:, None]
        terms = scale * self.legendre(polar / r, axial / r)
        orders = np.outer(np.arange(self.degree + 1), np.radians(longitudes))
        return (terms * self.c).sum(0) @ np.cos(orders) + (terms * self.s).sum(0) @ np.sin(orders) + ZERO_DEGREE

    def legendre(self, t, u):
        """Returns the fully normalized associated Legendre functions (Holmes and Featherstone 2002, 11 to 13)."""
        p = np.zeros((self.degree + 1, self.degree + 1))
        p[0, 0], p[1, 0], p[1, 1] = 1, np.sqrt(3) * t, np.sqrt(3) * u
        for n in range(2, self.degree + 1):
            m = np.arange(n)
            a = np.sqrt((2 * n - 1) * (2 * n + 1) / ((n - m) * (n + m)))
            b = np.sqrt((2 * n + 1) * (n + m - 1) * np.maximum(n - m - 1, 0) / ((n - m) * (n + m) * (2 * n - 3)))
            p[n, :n] = a * t * p[n - 1, :n] - b * p[n - 2, :n]
            p[n, n] = u * np.sqrt((2 * n + 1) / (2 * n)) * p[n - 1, n - 1]
        return p


def weights(values, nodes):
    """Returns the weights of bilinear interpolation along one axis: a row for each value, a column for each node."""
    return np.maximum(0, 1 - np.abs(values[:, None] - nodes[None, :]) / STEP)


def latitude_weights(latitudes):
    return weights(latitudes, np.arange(-90, 91, STEP))


def longitude_weights(longitudes):
    # The node at 180° is the first one again.
    around = weights(longitudes, np.arange(-180, 181, STEP))
    around[:, 0] += around[:, -1]
    return around[:, :-1]


def fitted(model):
    """Returns the table whose interpolation has the least mean square error on Earth, in metres.

    It is not the model at the nodes: a peak or a trench there would be spread over 10°.
    """
    latitudes, longitudes = np.arange(-90, 90.1, 0.5), np.arange(-180, 180, 0.5)
    grid = np.array([model.parallel(latitude, longitudes) for latitude in latitudes])
    rows, columns = latitude_weights(latitudes), longitude_weights(longitudes)
    area = np.cos(np.radians(latitudes))[:, None]
    table = np.linalg.solve(rows.T @ (area * rows), rows.T @ (area * grid))
    table = np.linalg.solve(columns.T @ columns, columns.T @ table.T).T
    table[0], table[-1] = table[0].mean(), table[-1].mean()
    return table


def swift(table):
    """Returns the source of a table in metres."""
    yield "// Made by Tests/Tools/geoid_table.py from NGA's EGM2008, which is in the public domain."
    yield "extension GeoidModel {"
    yield "    /// The separations in decimetres, from south to north and from 180° W eastwards."
    yield "    static let decimetres: [Int16] = ["
    for latitude, row in zip(range(-90, 91, STEP), np.rint(table * 10).astype(int)):
        yield f"        // {abs(latitude)}° {'S' if latitude < 0 else 'N'}"
        for start in range(0, len(row), 18):
            yield "        " + " ".join(f"{value}," for value in row[start : start + 18])
    yield "    ]"
    yield "}"


def table_in_sources():
    numbers = re.findall(r"^ +(-?\d+,.*)$", TABLE.read_text(), re.MULTILINE)
    return np.array([int(word) for line in numbers for word in line.split(",") if word.strip()]).reshape(37, -1) / 10


def random_places():
    """Yields parallels with places on them that are evenly distributed over the Earth."""
    random = np.random.default_rng(SEED)
    for sine in random.uniform(-1, 1, 2000):
        yield np.degrees(np.arcsin(sine)), random.uniform(-180, 180, 50)


def evaluated(folder):
    """Returns GeoidEval's undulations at the random places."""
    places = "".join(f"{latitude:.9f} {x:.9f}\n" for latitude, longitudes in random_places() for x in longitudes)
    command = ["GeoidEval", "-n", "egm96-15", "-d", folder]
    answer = subprocess.run(command, input=places, capture_output=True, text=True, check=True)
    return np.array(answer.stdout.split(), dtype=float)


def measure(model, folder):
    table = table_in_sources()
    parts = [latitude_weights(np.array([y])) @ table @ longitude_weights(x).T for y, x in random_places()]
    interpolated = np.concatenate(parts, axis=None)
    references = {"EGM2008": np.concatenate([model.parallel(*place) for place in random_places()])}
    if folder:
        references["GeoidEval"] = evaluated(folder)
    from global_land_mask import globe

    land = np.concatenate([globe.is_land(np.full_like(x, y), x) for y, x in random_places()])
    for name, reference in references.items():
        report(f"table - {name}", interpolated - reference)
        report(f"table - {name}, on land", (interpolated - reference)[land])
    if folder:
        report("EGM2008 - GeoidEval", references["EGM2008"] - references["GeoidEval"])


def report(name, error):
    size = np.abs(error)
    shares = ", ".join(f"{share} % {np.percentile(size, share):.2f}" for share in (68, 95))
    print(
        f"{name}: {len(size)} places, mean {error.mean():.2f}, mean size {size.mean():.2f}, "
        f"rms {np.sqrt((error**2).mean()):.2f}, {shares}, greatest {size.max():.2f} m"
    )


def main():
    model = GravityModel(sys.argv[1])
    if sys.argv[2:3] == ["--measure"]:
        measure(model, sys.argv[3] if len(sys.argv) > 3 else None)
    else:
        print("\n".join(swift(fitted(model))))


if __name__ == "__main__":
    main()
