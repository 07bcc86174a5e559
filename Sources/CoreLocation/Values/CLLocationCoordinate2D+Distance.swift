import LocationModel

extension CLLocationCoordinate2D {
    /// Returns the distance in metres along the WGS 84 ellipsoid, or NaN if either coordinate is not a position.
    func distance(to other: CLLocationCoordinate2D) -> CLLocationDistance {
        position.distance(to: other.position)
    }

    /// The coordinate as a location. Distances ignore its timestamp.
    private var position: LocationModel.Location {
        LocationModel.Location(
            timestamp: Timestamp(millisecondsSince1970: 0), latitude: latitude, longitude: longitude)
    }
}
