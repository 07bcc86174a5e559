extension CLLocationCoordinate2D {
    /// Returns the distance in metres along the WGS 84 ellipsoid, or NaN if either coordinate is not a position.
    package func distance(to other: CLLocationCoordinate2D) -> CLLocationDistance {
        distanceAlongEllipsoid(from: self, to: other)
    }
}
