public import LocationModel

/// Judges the fixes of the machine's receivers: it finds the reasons to doubt each of them.
///
/// Receivers are identified by number. Times are in seconds of a steady clock that keeps running while the machine
/// sleeps.
public struct IntegrityMonitor: Sendable {
    /// The time that a reason holds after its last sign, in seconds.
    public static let hold = 60.0
    /// The time that a jump, of the location or of a reference station, holds as a reason, in seconds.
    public static let jumpHold = 300.0
    /// The greatest difference between a receiver's time and a synchronized clock, in seconds. A receiver that does not
    /// know the leap seconds yet is wrong by up to 18, and a fix may be some seconds old. Signals that were recorded to
    /// be sent again are older.
    public static let greatestClockDifference = 20.0

    private struct Record {
        let receiver: Int
        var jumps = JumpDetector()
        /// The reasons that hold, with the times when they end.
        var held: [(reason: FixDoubts.Reason, until: Double)] = []

        mutating func hold(_ reason: FixDoubts.Reason, at now: Double) {
            held.removeAll { $0.reason == reason }
            let isJump = reason == .jump || reason == .corrections
            held.append((reason, now + (isJump ? IntegrityMonitor.jumpHold : IntegrityMonitor.hold)))
        }

        /// Returns the reasons that still hold.
        mutating func reasons(at now: Double) -> FixDoubts? {
            if held.isEmpty { return nil }
            held.removeAll { $0.until <= now }
            return FixDoubts(held.map(\.reason))
        }
    }

    /// There are only a few records: a linear search costs less than hashing.
    private var records: [Record] = []
    private var agreement = ReceiverAgreement()

    /// Creates a monitor that has seen no fix.
    public init() {}

    /// Returns the reasons to doubt a fix that a receiver has just produced, or `nil` if there are none.
    ///
    /// - Parameters:
    ///   - warning: The reasons that the receiver itself reports, or `nil` if it reports none.
    ///   - isRecording: A Boolean value indicating whether the fix is from another time and another journey.
    ///   - isTimeWrong: Returns whether the location's time differs from a clock that is known to be right.
    public mutating func judge(
        _ location: borrowing Location, of receiver: Int, warning: FixDoubts?, isRecording: Bool = false,
        at now: Double, isTimeWrong: () -> Bool
    ) -> FixDoubts? {
        let index = index(of: receiver)
        if let warning { hold(warning, at: index, now) }
        guard Self.isMeasured(location) else { return records[index].reasons(at: now) }
        let place = Movement.Place(location)
        if records[index].jumps.isJump(to: place, dated: location.timestamp, at: now) {
            records[index].hold(.jump, at: now)
        }
        guard !isRecording else { return records[index].reasons(at: now) }
        if isTimeWrong() { records[index].hold(.clock, at: now) }
        // A phone that passes on its location may be carried away.
        if records.count > 1, location.accessory != true {
            agreement.compare(place, of: receiver, at: now)
            if agreement.isAtOdds(receiver) { records[index].hold(.disagreement, at: now) }
        }
        return records[index].reasons(at: now)
    }

    /// Handles an epoch without a fix. Returns the reasons to doubt the receiver's fixes, or `nil` if there are none.
    public mutating func noteAbsence(
        of receiver: Int, warning: FixDoubts?, at now: Double
    ) -> FixDoubts? {
        let index = index(of: receiver)
        if let warning { hold(warning, at: index, now) }
        return records[index].reasons(at: now)
    }

    /// Removes a receiver.
    public mutating func forget(_ receiver: Int) {
        records.removeAll { $0.receiver == receiver }
        agreement.forget(receiver)
    }

    /// Returns whether a receiver has measured the place, rather than invented it or received it from its owner. Dead
    /// reckoning is not a measurement: at the end of a tunnel, the first fix is far from the last estimate, and right.
    private static func isMeasured(_ location: borrowing Location) -> Bool {
        switch location.quality {
        case .fixed, .simulated, .deadReckoning, .remembered: false
        default: !location.simulated
        }
    }

    private mutating func index(of receiver: Int) -> Int {
        for index in records.indices where records[index].receiver == receiver { return index }
        records.append(Record(receiver: receiver))
        return records.count - 1
    }

    private mutating func hold(_ warning: FixDoubts, at index: Int, _ now: Double) {
        for reason in warning.reasons { records[index].hold(reason, at: now) }
    }
}
