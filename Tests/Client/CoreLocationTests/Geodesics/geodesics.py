#!/usr/bin/env python3
"""Prints random pairs of places and the geodesic between them on WGS 84, by geographiclib (from PyPI).

Usage: geodesics.py COUNT SEED > pairs.tsv, then GEODESICS=pairs.tsv swift test --filter DistanceTests
"""
import math
import random
import sys

from geographiclib.geodesic import Geodesic


def place(numbers):
    """Returns a random place, uniformly distributed over the Earth."""
    return math.degrees(math.asin(numbers.uniform(-1, 1))), numbers.uniform(-180, 180)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    numbers = random.Random(seed)
    print(f"# latitude, longitude, latitude, longitude, metres; {count} pairs of seed {seed}")
    for number in range(count):
        latitude, longitude = place(numbers)
        if number % 3 == 0:
            # Close together: from a centimetre to a thousand kilometres.
            distance = 10 ** numbers.uniform(-2, 6)
            line = Geodesic.WGS84.Direct(latitude, longitude, numbers.uniform(0, 360), distance)
            other = line["lat2"], line["lon2"]
        elif number % 30 == 1:
            # Nearly antipodal, where simpler methods fail.
            other = -latitude + numbers.uniform(-0.5, 0.5), longitude - 180 + numbers.uniform(-0.5, 0.5)
            other = max(-90.0, min(90.0, other[0])), (other[1] + 180) % 360 - 180
        else:
            other = place(numbers)
        metres = Geodesic.WGS84.Inverse(latitude, longitude, *other, Geodesic.DISTANCE)["s12"]
        print(latitude, longitude, *other, metres, sep="\t")


main()
