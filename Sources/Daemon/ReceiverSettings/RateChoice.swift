/// The choice of an interval between fixes that the demand, the receiver and the line allow.
struct RateChoice {
    /// The bytes of the sentences with a position (RMC, GGA and GSA of four systems), and of UBX-NAV-PVT with NAV-DOP.
    private static let (sentencesLength, framesLength) = (450.0, 140.0)
    /// The share of a line's capacity that messages may take.
    private static let greatestLoad = 0.9

    /// An interval in milliseconds, and whether only the sentences with the position fit the line then.
    typealias Choice = (milliseconds: Int, isShort: Bool)

    /// The line's capacity in bytes per second, or `nil` if nothing limits it.
    var capacity: Double?
    /// The bytes for a fix at present, or `nil` if they have not been measured.
    var bytesPerFix: Double?
    let profile: ReceiverProfile

    /// Returns the choice, or `nil` to leave the interval.
    func choice(for demand: ReceiverDemand, of dialect: (any ReceiverDialect)?) -> Choice? {
        switch profile.interval {
        case nil: return nil
        case .fixed(let milliseconds): return (milliseconds, false)
        case .demand:
            let demanded = demand.interval.flatMap { $0.isNaN ? nil : $0 } ?? 1
            let milliseconds = Int(max(100, min(65_535, (demanded * 1000).rounded())))
            guard milliseconds < 1000 else {
                return (dialect?.nearestInterval(to: milliseconds) ?? milliseconds, false)
            }
            return fastest(for: milliseconds, demand, dialect)
        }
    }

    /// Returns the fastest of 10, 5 and 2 fixes a second that is not faster than demanded and that the line carries, or
    /// one a second.
    private func fastest(
        for milliseconds: Int, _ demand: ReceiverDemand, _ dialect: (any ReceiverDialect)?
    ) -> Choice {
        let shortLength = profile.sendsUBX ? Self.framesLength : Self.sentencesLength
        let canShorten =
            !profile.sendsUBX && !demand.needsAllSentences
            && dialect?.exchanges(for: .positionSentencesOnly).isEmpty == false
        for candidate in [100, 200, 500] where candidate >= milliseconds {
            guard dialect?.nearestInterval(to: candidate) == candidate else { continue }
            if fits(bytesPerFix ?? 2 * shortLength, every: candidate) { return (candidate, false) }
            if canShorten, fits(shortLength, every: candidate) { return (candidate, true) }
        }
        return (1000, false)
    }

    private func fits(_ length: Double, every milliseconds: Int) -> Bool {
        capacity.map { length * 1000 / Double(milliseconds) <= $0 * Self.greatestLoad } ?? true
    }
}
