import LocationModel
import NIOCore
import NMEA

/// Completes what compass sentences tell: a true heading from a magnetic one and the other way round.
///
/// That takes the magnetic variation, which the compass tells itself or the position sentences do. Without one, a device
/// that tells both headings in two sentences gets them put together while they are fresh.
struct HeadingAssembly {
    /// How long after one kind of heading was told it goes with the other kind.
    static let maximumAge = TimeAmount.seconds(1)

    /// Degrees by which magnetic north lies east of true north, as the compass told last.
    private var compassVariation: Double?
    /// The same, as an epoch told last. It changes by less than a compass is good for while a port is open.
    private var epochVariation: Double?
    private var lastTrue: (degrees: Double, at: NIODeadline)?
    private var lastMagnetic: (degrees: Double, at: NIODeadline)?

    /// Takes the variation that an epoch told, if it did.
    mutating func take(variation: Double?) {
        if let variation { epochVariation = variation }
    }

    /// The heading of a sentence that came at `now`; `nil` when it tells none.
    ///
    /// - Parameters:
    ///   - trueHeading: degrees clockwise from true north.
    ///   - magneticHeading: degrees clockwise from magnetic north.
    ///   - variation: what the sentence itself tells.
    ///   - accuracy: degrees at 68 %; 0 stands for one that is not known.
    mutating func heading(
        true trueHeading: Double?, magnetic magneticHeading: Double?, variation: Double? = nil, accuracy: Double? = nil,
        at now: NIODeadline, timestamp: @autoclosure () -> Timestamp
    ) -> LocationModel.Heading? {
        if let variation { compassVariation = variation }
        if let trueHeading { lastTrue = (trueHeading, now) }
        if let magneticHeading { lastMagnetic = (magneticHeading, now) }
        guard trueHeading != nil || magneticHeading != nil else { return nil }

        var heading = LocationModel.Heading(timestamp: timestamp())
        if let known = compassVariation ?? epochVariation {
            heading.trueHeading = (trueHeading ?? magneticHeading.map { $0 + known }).map(Self.circle)
            heading.magneticHeading = (magneticHeading ?? trueHeading.map { $0 - known }).map(Self.circle)
        } else {
            heading.trueHeading = Self.fresh(lastTrue, at: now)
            heading.magneticHeading = Self.fresh(lastMagnetic, at: now)
        }
        heading.accuracy = accuracy.flatMap { $0 > 0 ? $0 : nil }
        return heading
    }

    private static func fresh(_ told: (degrees: Double, at: NIODeadline)?, at now: NIODeadline) -> Double? {
        told.flatMap { now - $0.at <= maximumAge ? circle($0.degrees) : nil }
    }

    /// Degrees brought into 0..<360.
    private static func circle(_ degrees: Double) -> Double {
        let remainder = degrees.truncatingRemainder(dividingBy: 360)
        let positive = remainder < 0 ? remainder + 360 : remainder
        // A tiny negative remainder is rounded to 360.
        return positive < 360 ? positive : 0
    }
}

extension HeadingAssembly {
    /// The heading of a sentence that the NMEA decoder read at `now`.
    mutating func heading(
        _ told: NMEA.Heading, at now: NIODeadline, timestamp: @autoclosure () -> Timestamp
    ) -> LocationModel.Heading? {
        heading(
            true: told.trueHeading, magnetic: told.magneticHeading, variation: told.magneticVariation,
            accuracy: told.accuracy, at: now, timestamp: timestamp())
    }
}
