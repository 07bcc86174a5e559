public import LocationModel
public import Varlink

extension EncodedReply where Method == Subscribe {
    /// The update with the event `location`, written without the detour of `Codable`: it is what a daemon does most.
    ///
    /// A test holds it against the encoding of ``Subscribe/Reply``.
    public static func location(_ location: Location, continues: Bool) -> Self {
        Self(continues: continues) { writer in
            // A fixed form: each piece is appended at once.
            writer.verbatim(#""update":{"event":"location","location":{"timestamp":"#)
            writer.value(plain: location.timestamp.rfc3339.span)
            writer.verbatim(#","latitude":"#)
            writer.value(location.latitude)
            writer.verbatim(#","longitude":"#)
            writer.value(location.longitude)
            writer.number(#","horizontalAccuracy":"#, location.horizontalAccuracy)
            writer.number(#","altitude":"#, location.altitude)
            writer.number(#","ellipsoidalAltitude":"#, location.ellipsoidalAltitude)
            writer.number(#","verticalAccuracy":"#, location.verticalAccuracy)
            writer.number(#","course":"#, location.course)
            writer.number(#","courseAccuracy":"#, location.courseAccuracy)
            writer.number(#","speed":"#, location.speed)
            writer.number(#","speedAccuracy":"#, location.speedAccuracy)
            writer.verbatim(location.simulated ? #","simulated":true"# : #","simulated":false"#)
            if let receiver = location.receiver {
                writer.verbatim(#","receiver":"#)
                writer.value(receiver)
            }
            writer.verbatim("}}")
        }
    }
}

extension JSONWriter {
    /// Writes `key`, which has its comma, its quotes and its colon, and a number; nothing if that is absent or not finite.
    fileprivate mutating func number(_ key: StaticString, _ value: Double?) {
        guard let value, value.isFinite else { return }
        verbatim(key)
        self.value(value)
    }
}
