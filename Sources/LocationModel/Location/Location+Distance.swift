extension Location {
    /// Returns the horizontal distance to `other` along the WGS 84 ellipsoid, in metres, regardless of altitude.
    ///
    /// The result is correct to a micrometre between any two places on Earth, including antipodes, and to a relative
    /// error of 1e-9 for short distances.
    public func distance(to other: Location) -> Double {
        Ellipsoid.wgs84.distance(
            fromLatitude: latitude, longitude: longitude, toLatitude: other.latitude, longitude: other.longitude)
    }
}
