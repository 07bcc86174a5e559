internal import LocationModel
internal import Logging
internal import Receivers

extension ReceiverDiagnosis {
    /// The line for the log, or `nil` where another one says the same: that fixes come, or that the receiver is lost.
    var logEntry: (Logger.Level, String)? {
        switch condition {
        case .noPosition:
            (.warning, "what comes contains no position\(protocolName.map { ": \($0)" } ?? "")")
        case .noSatellites: (.info, "no fix: no satellite is in view")
        case .noFix: (.info, "no fix: \(satellitesInView ?? 0) satellites are in view")
        case .noDate: (.warning, "fixes come without a date, and this machine's clock is not set: no location")
        case .undated: (.notice, "fixes come without a date: they are dated by this machine's clock")
        case .nothing, .unreadable, .otherProtocol, .fix, nil: nil
        }
    }
}
