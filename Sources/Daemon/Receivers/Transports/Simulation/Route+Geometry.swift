import Glibc

extension Route {
    /// Returns the distance between two places along a great circle, in metres (haversine formula).
    static func distance(_ a: Place, _ b: Place) -> Double {
        let (latitudeA, latitudeB) = (radians(a.latitude), radians(b.latitude))
        let north = sin((latitudeB - latitudeA) / 2)
        let east = sin(radians(longitudeDifference(a, b)) / 2)
        let h = north * north + cos(latitudeA) * cos(latitudeB) * east * east
        return 2 * earthRadius * asin(min(1, h.squareRoot()))
    }

    /// Returns the course from one place to a nearby one, in degrees clockwise from true north, 0..<360.
    static func course(_ a: Place, _ b: Place) -> Double {
        let north = b.latitude - a.latitude
        let east = longitudeDifference(a, b) * cos(radians((a.latitude + b.latitude) / 2))
        let degrees = atan2(east, north) * 180 / .pi
        return degrees < 0 ? degrees + 360 : degrees
    }

    /// Returns the place a few metres north, east and up of another one.
    static func moved(_ place: Place, north: Double, east: Double, up: Double) -> Place {
        let latitude = max(-90, min(90, place.latitude + north / earthRadius * 180 / .pi))
        // At a pole, there is no east.
        let parallel = max(1e-9, cos(radians(latitude)))
        return Place(
            latitude: latitude,
            longitude: normalized(place.longitude + max(-180, min(180, east / (earthRadius * parallel) * 180 / .pi))),
            altitude: place.altitude + up)
    }

    /// Returns the degrees from one longitude to the other the short way, across the antimeridian if necessary.
    static func longitudeDifference(_ a: Place, _ b: Place) -> Double {
        normalized(b.longitude - a.longitude)
    }

    /// Returns the longitude normalized to -180..<180.
    static func normalized(_ longitude: Double) -> Double {
        let turned = (longitude + 180).truncatingRemainder(dividingBy: 360)
        return turned < 0 ? turned + 180 : turned - 180
    }

    private static func radians(_ degrees: Double) -> Double {
        degrees * .pi / 180
    }
}
