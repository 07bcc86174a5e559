public import LocationModel

/// Suppresses headings until the device has turned far enough from the last delivered one.
public struct HeadingFilter: Sendable {
    /// Degrees when nothing else is asked for.
    public static let standardDegrees = 1.0

    /// The turn that has to be exceeded, in degrees; 0 or less delivers everything.
    public let degrees: Double
    private var lastDelivered: Heading?

    /// A filter that lets the first heading pass.
    public init(degrees: Double = HeadingFilter.standardDegrees) {
        self.degrees = degrees
    }

    /// Returns whether `heading` is to be delivered; if so, the next turn counts from it.
    public mutating func admits(_ heading: Heading) -> Bool {
        guard degrees <= 0 || turn(to: heading).map({ $0 > degrees }) ?? true else { return false }
        lastDelivered = heading
        return true
    }

    /// Degrees from the last delivered heading, 0...180; `nil` where there is none that can be compared.
    private func turn(to heading: Heading) -> Double? {
        guard let lastDelivered else { return nil }
        if let now = heading.magneticHeading, let then = lastDelivered.magneticHeading { return Self.angle(now, then) }
        if let now = heading.trueHeading, let then = lastDelivered.trueHeading { return Self.angle(now, then) }
        return nil
    }

    private static func angle(_ a: Double, _ b: Double) -> Double {
        let difference = (a - b).magnitude.truncatingRemainder(dividingBy: 360)
        return min(difference, 360 - difference)
    }
}
