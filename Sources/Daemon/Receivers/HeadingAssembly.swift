import LocationModel
import NIOCore
import NMEA

/// Completes compass readings: derives the true heading from the magnetic one and vice versa.
///
/// This requires the magnetic variation, which either the compass or the position sentences report. Without it, if a
/// device sends the two headings in separate sentences, they are combined while both are fresh.
struct HeadingAssembly {
    /// The maximum age of a heading that is combined with a new one of the other kind.
    static let maximumAge = TimeAmount.seconds(1)

    /// Degrees from true north eastwards to magnetic north, as last reported by the compass.
    private var compassVariation: Double?
    /// The same, as last reported with an epoch. While a port is open, it changes by less than a compass's accuracy.
    private var epochVariation: Double?
    private var lastTrue: (degrees: Double, at: NIODeadline)?
    private var lastMagnetic: (degrees: Double, at: NIODeadline)?

    /// Stores the variation that an epoch reported, if any.
    mutating func apply(variation: Double?) {
        if let variation { epochVariation = variation }
    }

    /// Returns the heading of a sentence received at `now`, or `nil` if the sentence does not contain one.
    ///
    /// - Parameters:
    ///   - trueHeading: Degrees clockwise from true north.
    ///   - magneticHeading: Degrees clockwise from magnetic north.
    ///   - variation: The variation that the sentence itself contains.
    ///   - accuracy: Degrees at 68 %; 0 means unknown.
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

    private static func fresh(_ measured: (degrees: Double, at: NIODeadline)?, at now: NIODeadline) -> Double? {
        measured.flatMap { now - $0.at <= maximumAge ? circle($0.degrees) : nil }
    }

    /// Returns `degrees` normalized to 0..<360.
    fileprivate static func circle(_ degrees: Double) -> Double {
        let remainder = degrees.truncatingRemainder(dividingBy: 360)
        let positive = remainder < 0 ? remainder + 360 : remainder
        // A tiny negative remainder is rounded to 360.
        return positive < 360 ? positive : 0
    }
}

extension HeadingAssembly {
    /// Returns the heading of a sentence that the NMEA decoder read at `now`.
    mutating func heading(
        _ measured: NMEA.Heading, at now: NIODeadline, timestamp: @autoclosure () -> Timestamp
    ) -> LocationModel.Heading? {
        heading(
            true: measured.trueHeading, magnetic: measured.magneticHeading, variation: measured.magneticVariation,
            accuracy: measured.accuracy, at: now, timestamp: timestamp())
    }
}

extension LocationModel.Heading {
    /// Returns the heading turned clockwise by a number of degrees, in units of 1e-5°.
    func turned(by degrees: Double) -> LocationModel.Heading {
        func turned(_ direction: Double) -> Double {
            HeadingAssembly.circle((HeadingAssembly.circle(direction + degrees) * 1e5).rounded() / 1e5)
        }
        var heading = self
        heading.trueHeading = trueHeading.map(turned)
        heading.magneticHeading = magneticHeading.map(turned)
        return heading
    }
}
