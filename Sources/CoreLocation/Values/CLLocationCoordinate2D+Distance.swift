import LocationModel

extension CLLocationCoordinate2D {
    /// Metres along the WGS 84 ellipsoid; NaN if one of both is not a place.
    func distance(to other: CLLocationCoordinate2D) -> CLLocationDistance {
        position.distance(to: other.position)
    }

    /// The place alone; distances know nothing of time.
    private var position: LocationModel.Location {
        LocationModel.Location(
            timestamp: Timestamp(millisecondsSince1970: 0), latitude: latitude, longitude: longitude)
    }
}
