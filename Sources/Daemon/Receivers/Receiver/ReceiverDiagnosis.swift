public import LocationModel

/// The reasons why an open receiver has a location or none, and the quality of the location.
public struct ReceiverDiagnosis: Sendable, Equatable {
    /// The condition of the incoming data, or `nil` if it is not known yet.
    public var condition: ReceiverCondition?
    /// The name of the protocol or the messages, if the condition is `otherProtocol` or `noPosition` and the name is
    /// known.
    public var protocolName: String?
    /// The number of satellites in view, if the condition is `noSatellites` or `noFix`.
    public var satellitesInView: Int?
    /// The time between two reports in seconds, if it has been learned and is at least 2.
    public var reportInterval: Double?
    /// The name of the datum of the receiver's coordinates if it is not WGS 84.
    public var datum: String?

    /// A Boolean value indicating whether its sentences have no checksums, and are used nevertheless.
    public var sendsNoChecksums = false

    /// A Boolean value indicating whether another device on the same wire sends its speed and course.
    public var hasMotionOfAnotherDevice = false

    /// A Boolean value indicating whether it reports a geoid separation of 0 at a place where that is wrong.
    public var sendsZeroSeparation = false

    /// Creates a diagnosis with no more than the condition known.
    public init(_ condition: ReceiverCondition? = nil) {
        self.condition = condition
    }
}

/// The outcome of an epoch.
enum EpochOutcome: Equatable {
    case fix(FixDating)
    /// A fix without a date, while the machine's clock is not set.
    case noClock
    case noFix
}

extension ReceiverDiagnosis {
    /// Returns the diagnosis after an epoch with this outcome.
    static func of(_ outcome: EpochOutcome, satellitesInView: @autoclosure () -> Int) -> ReceiverDiagnosis {
        switch outcome {
        case .fix(.receiver): return ReceiverDiagnosis(.fix)
        case .fix: return ReceiverDiagnosis(.undated)
        case .noClock: return ReceiverDiagnosis(.noDate)
        case .noFix:
            let count = satellitesInView()
            var diagnosis = ReceiverDiagnosis(count == 0 ? .noSatellites : .noFix)
            diagnosis.satellitesInView = count
            return diagnosis
        }
    }
}
