public import LocationModel

/// Suppresses headings until the device has turned far enough from the last delivered heading.
public struct HeadingFilter: Sendable {
    /// The default filter, in degrees.
    public static let defaultDegrees = 1.0

    /// The turn that must be exceeded, in degrees; 0 or less delivers everything.
    public let degrees: Double
    private var lastDelivered: Heading?

    /// Creates a filter that admits the first heading.
    public init(degrees: Double = HeadingFilter.defaultDegrees) {
        self.degrees = degrees
    }

    /// Returns whether to deliver `heading`. If so, the next turn is counted from it.
    public mutating func admits(_ heading: Heading) -> Bool {
        guard degrees <= 0 || turn(to: heading).map({ $0 > degrees }) ?? true else { return false }
        lastDelivered = heading
        return true
    }

    /// Returns the angle from the last delivered heading in degrees, 0...180, or `nil` if there is no comparable
    /// heading.
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
