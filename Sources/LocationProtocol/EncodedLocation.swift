public import Positioning
public import Varlink

extension EncodedReply where Method == Subscribe {
    /// The update with the event `location`, written without the detour of `Codable`: it is what a daemon does most.
    ///
    /// A test holds it against the encoding of ``Subscribe/Reply``.
    public static func location(_ location: Location, continues: Bool) -> Self {
        Self(continues: continues) { writer in
            writer.key("update")
            writer.beginObject()
            writer.field("event", "location")
            writer.key("location")
            writer.beginObject()
            writer.key("timestamp")
            writer.value(plain: location.timestamp.rfc3339.span)
            writer.field("latitude", location.latitude)
            writer.field("longitude", location.longitude)
            writer.field("horizontalAccuracy", location.horizontalAccuracy)
            writer.field("altitude", location.altitude)
            writer.field("ellipsoidalAltitude", location.ellipsoidalAltitude)
            writer.field("verticalAccuracy", location.verticalAccuracy)
            writer.field("course", location.course)
            writer.field("courseAccuracy", location.courseAccuracy)
            writer.field("speed", location.speed)
            writer.field("speedAccuracy", location.speedAccuracy)
            writer.field("simulated", location.simulated)
            writer.field("receiver", location.receiver)
            writer.endObject()
            writer.endObject()
        }
    }
}
