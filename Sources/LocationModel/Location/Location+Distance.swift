extension Location {
    /// The horizontal distance to `other` along the WGS 84 ellipsoid, in metres. Altitudes do not count.
    ///
    /// Right to a micrometre between any two places on Earth, antipodes among them, and to 1e-9 of short distances.
    public func distance(to other: Location) -> Double {
        Ellipsoid.wgs84.distance(
            fromLatitude: latitude, longitude: longitude, toLatitude: other.latitude, longitude: other.longitude)
    }
}
