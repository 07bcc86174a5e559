internal import Bus
internal import LocationModel

/// The properties of a location object. All are always present: without one, clients crash or drop the location.
struct LocationObject: Equatable {
    /// The altitude that means "unknown": the most negative finite number.
    static let unknownAltitude = -Double.greatestFiniteMagnitude
    /// The speed and the heading that mean "unknown".
    static let unknown = -1.0
    /// The accuracy in metres if the receiver does not report one: GeoClue's value for the worst HDOP.
    static let unknownAccuracy = 300.0
    /// The minimum accuracy in metres. Qt interprets exactly 0 as a satellite fix.
    static let leastAccuracy = 0.001

    let location: Location

    /// All properties, in the order of the interface's definition.
    var properties: [PropertyValue] {
        let (seconds, milliseconds) = max(0, location.timestamp.millisecondsSince1970)
            .quotientAndRemainder(dividingBy: 1000)
        return [
            PropertyValue("Latitude", .double(location.latitude)),
            PropertyValue("Longitude", .double(location.longitude)),
            PropertyValue(
                "Accuracy", .double(max(location.horizontalAccuracy ?? Self.unknownAccuracy, Self.leastAccuracy))),
            PropertyValue("Altitude", .double(location.altitude ?? Self.unknownAltitude)),
            PropertyValue("Speed", .double(location.speed ?? Self.unknown)),
            PropertyValue("Heading", .double(location.course ?? Self.unknown)),
            PropertyValue("Description", .string(location.quality == .remembered ? "Remembered place" : "")),
            PropertyValue(
                "Timestamp", .time(seconds: UInt64(seconds), microseconds: UInt64(milliseconds) * 1000)),
        ]
    }
}
