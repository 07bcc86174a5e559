/// The compass. It derives headings from the contents of heading sentences.
struct Compass {
    /// The last heading.
    private(set) var heading = Heading(simulated: false, talker: Talker(code: 0))
    private var turning: Double?
    private var turningTalker = Talker(code: 0)

    mutating func turn(_ talker: Talker, _ degreesPerMinute: FixedPoint) {
        turning = degreesPerMinute.scaled()
        turningTalker = talker
    }

    /// Reads the contents of a heading sentence. Returns whether they include a heading.
    mutating func read(
        _ talker: Talker, true trueHeading: FixedPoint = .none, magnetic: FixedPoint = .none,
        variation: FixedPoint = .none, accuracy: FixedPoint = .none, simulated: Bool = false
    ) -> Bool {
        var heading = Heading(simulated: simulated, talker: talker)
        heading.trueHeading = Self.circle(trueHeading)
        heading.magneticHeading = Self.circle(magnetic)
        heading.magneticVariation = variation.scaled()
        heading.accuracy = accuracy.scaled()
        if heading.trueHeading == nil, heading.magneticHeading != nil {
            heading.trueHeading = Self.circle(magnetic.adding(variation))
        }
        if turningTalker == talker { heading.rateOfTurn = turning }
        guard heading.trueHeading != nil || heading.magneticHeading != nil else { return false }
        self.heading = heading
        return true
    }

    /// Returns a number of degrees normalized to 0..<360, or `nil` if it is more than a full turn outside that range.
    static func circle(_ number: FixedPoint) -> Double? {
        guard let degrees = number.scaled(), degrees >= -360, degrees <= 720 else { return nil }
        if degrees < 0 { return degrees == -360 ? 0 : degrees + 360 }
        return degrees >= 720 ? 0 : degrees >= 360 ? degrees - 360 : degrees
    }

    /// Returns the arctangent of a ratio of 0...1 in degrees, within 0.25° (Rajan et al., "Efficient Approximations
    /// for the Arctangent Function", 2006). It needs no mathematics library, and suffices for an estimate.
    static func arctangent(_ ratio: Double) -> Double {
        ratio * (45 + 15.64 * (1 - ratio))
    }
}
