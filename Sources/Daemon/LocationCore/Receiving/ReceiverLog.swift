internal import LocationModel
internal import Logging
internal import Receivers

/// The log messages about the receivers: each once while there is a demand.
struct ReceiverLog {
    private let log: Logger
    /// The last message about each receiver, so that a pause between two fixes is not logged.
    private var messages: [Int: String] = [:]
    /// The logged conditions of each receiver.
    private var conditions: [Int: Set<ReceiverCondition>] = [:]

    init(_ log: Logger) {
        self.log = log
    }

    /// Forgets the messages about a receiver.
    mutating func forget(_ id: Int) {
        messages[id] = nil
        conditions[id] = nil
    }

    /// Forgets all messages.
    mutating func forget() {
        messages = [:]
        conditions = [:]
    }

    /// Logs a message about a receiver, unless it is the last one about it.
    mutating func record(_ message: String, of id: Int, name: String, level: Logger.Level) {
        guard messages[id] != message else { return }
        messages[id] = message
        log.log(level: level, "\(message)", metadata: ["RECEIVER": "\(name)"])
    }

    /// Logs new reasons to doubt a receiver's fixes, or the end of all reasons.
    func record(_ doubts: FixDoubts?, of name: String) {
        guard let doubts else {
            return log.notice("its location is no longer suspect", metadata: ["RECEIVER": "\(name)"])
        }
        let reasons = doubts.reasons
        log.warning(
            "its location is suspect: \(reasons.map(\.explanation).joined(separator: "; "))",
            metadata: [
                "RECEIVER": "\(name)", "INTEGRITY": "\(reasons.map(\.rawValue).joined(separator: ","))",
            ])
    }

    /// Logs why a receiver has a fix or none: each condition once, however often a receiver at the edge of a roof
    /// alternates between them.
    mutating func record(_ diagnosis: ReceiverDiagnosis, of id: Int, name: String) {
        if let datum = diagnosis.datum {
            let message =
                "its coordinates are on the datum \(datum), not on WGS 84: the accuracy includes the offset"
            record(message, of: id, name: name, level: .warning)
        }
        guard let condition = diagnosis.condition, conditions[id, default: []].insert(condition).inserted,
            let (level, message) = diagnosis.logEntry
        else { return }
        log.log(level: level, "\(message)", metadata: ["RECEIVER": "\(name)", "CONDITION": "\(condition.rawValue)"])
    }
}

extension ReceiverDiagnosis {
    /// The line for the log, or `nil` if another line says the same: that fixes arrive, or that the receiver is lost.
    fileprivate var logEntry: (Logger.Level, String)? {
        switch condition {
        case .noPosition:
            (.warning, "the data contains no position\(protocolName.map { ": \($0)" } ?? "")")
        case .noSatellites: (.info, "no fix: no satellite is in view")
        case .noFix: (.info, "no fix: \(satellitesInView ?? 0) satellites are in view")
        case .noDate: (.warning, "fixes come without a date, and this machine's clock is not set: no location")
        case .undated: (.notice, "fixes come without a date: they are dated by this machine's clock")
        case .nothing, .unreadable, .otherProtocol, .fix, nil: nil
        }
    }
}
