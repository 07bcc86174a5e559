import LocationModel

@testable import Positioning

/// The place around which tests move.
let origin = LocalPlane(latitude: 47.4, longitude: 8.5)

/// Returns a fix at a time in seconds, this many metres north and east of `origin`.
func fix(
    _ seconds: Double, north: Double = 0, east: Double = 0, accuracy: Double? = 5, speed: Double? = nil
) -> Location {
    let place = origin.place(north: north, east: east)
    var location = Location(
        timestamp: Timestamp(millisecondsSince1970: Int64((seconds * 1000).rounded())), latitude: place.latitude,
        longitude: place.longitude)
    location.horizontalAccuracy = accuracy
    location.speed = speed
    return location
}
