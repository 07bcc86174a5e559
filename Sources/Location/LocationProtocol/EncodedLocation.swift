public import LocationModel
public import Varlink

extension EncodedReply where Method == Subscribe {
    /// Returns the update with the event `location`. It is written without `Codable`, because it is the most frequent
    /// one.
    ///
    /// A test compares it with the encoding of ``Subscribe/Reply``.
    public static func location(_ location: borrowing Location, continues: Bool) -> Self {
        // Each byte of the receiver's name becomes at most six bytes. Thirteen numbers with their keys and all reasons
        // to doubt a fix fit into the rest.
        Self(continues: continues, capacity: 900 + 6 * (location.receiver?.utf8.count ?? 0)) { output in
            // The form is fixed, so each piece is appended directly.
            output.verbatim(#""update":{"event":"location","location":{"timestamp":"#)
            output.value(plain: location.timestamp.rfc3339.span)
            output.verbatim(#","latitude":"#)
            output.value(location.latitude)
            output.verbatim(#","longitude":"#)
            output.value(location.longitude)
            output.number(#","horizontalAccuracy":"#, location.horizontalAccuracy)
            output.number(#","altitude":"#, location.altitude)
            output.number(#","ellipsoidalAltitude":"#, location.ellipsoidalAltitude)
            output.number(#","verticalAccuracy":"#, location.verticalAccuracy)
            if let modelled = location.modelledAltitude {
                output.verbatim(#","modelledAltitude":"#)
                output.value(plain: modelled.rawValue.utf8.span)
            }
            output.number(#","course":"#, location.course)
            output.number(#","courseAccuracy":"#, location.courseAccuracy)
            output.number(#","speed":"#, location.speed)
            output.number(#","speedAccuracy":"#, location.speedAccuracy)
            if let quality = location.quality {
                output.verbatim(#","quality":"#)
                output.value(plain: quality.rawValue.utf8.span)
            }
            output.number(#","correctionAge":"#, location.correctionAge)
            if let count = location.satellitesUsed {
                output.verbatim(#","satellitesUsed":"#)
                output.value(count)
            }
            output.number(#","horizontalDilution":"#, location.horizontalDilution)
            output.verbatim(location.simulated ? #","simulated":true"# : #","simulated":false"#)
            if let receiver = location.receiver {
                output.verbatim(#","receiver":"#)
                output.value(receiver)
            }
            if let accessory = location.accessory {
                output.verbatim(accessory ? #","accessory":true"# : #","accessory":false"#)
            }
            if let doubts = location.doubts { output.doubts(doubts) }
            output.verbatim("}}")
        }
    }
}

extension JSONOutput {
    @inline(never)
    fileprivate mutating func doubts(_ doubts: FixDoubts) {
        verbatim(#","integrity":{"suspect":["#)
        for (index, reason) in doubts.reasons.enumerated() {
            if index > 0 { verbatim(",") }
            value(plain: reason.rawValue.utf8.span)
        }
        verbatim("]}")
    }

    /// Writes `key`, which includes its comma, quotes and colon, and `value`. Writes nothing if `value` is absent or
    /// not finite.
    @inline(__always)
    fileprivate mutating func number(_ key: StaticString, _ value: Double?) {
        guard let value, value.isFinite else { return }
        verbatim(key)
        self.value(value)
    }
}
