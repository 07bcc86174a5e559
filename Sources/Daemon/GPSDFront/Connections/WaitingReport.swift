internal import Bytewise
internal import NIOCore

/// A message that the client did not request. A newer report on the same subject makes it obsolete.
struct WaitingReport: Equatable {
    /// The subject of a report.
    enum Subject: Equatable {
        /// The position of the device, or the lack of one.
        case position
        case heading
        /// The receiver at this path, as active or inactive.
        case device(BytewiseString)
        /// The reason why the client receives nothing.
        case refusal
    }

    /// The content of a report, as it matters for authorization.
    enum Content: Equatable {
        /// A location, which is counted.
        case location
        /// Other content that requires a grant.
        case detail
        /// Content that any client may have.
        case nothing
    }

    var subject: Subject
    var content: Content
    var bytes: ByteBuffer
}

/// The reports that wait until a client reads: the newest one on each subject.
struct WaitingReports {
    /// The maximum number of reports. If more devices change, the oldest changes are dropped.
    static let maximumCount = 16

    private var reports: [WaitingReport] = []
    /// The number of locations that were dropped.
    private(set) var unsentLocations = 0

    var isEmpty: Bool { reports.isEmpty }

    /// Adds a report, replacing the one on the same subject.
    mutating func add(_ report: WaitingReport) {
        if let index = reports.firstIndex(where: { $0.subject == report.subject }) {
            if reports[index].content == .location { unsentLocations += 1 }
            reports[index] = report
            return
        }
        if reports.count == Self.maximumCount {
            guard let oldest = reports.firstIndex(where: \.isDevice) else { return }
            reports.remove(at: oldest)
        }
        reports.append(report)
    }

    /// Removes and returns the report that has waited longest.
    mutating func removeFirst() -> WaitingReport? { reports.isEmpty ? nil : reports.removeFirst() }

    /// Drops the reports that require a grant.
    mutating func dropGranted() {
        unsentLocations += reports.count { $0.content == .location }
        reports.removeAll { $0.content != .nothing }
    }

    /// Drops everything, because the connection is closed.
    mutating func dropAll() {
        dropGranted()
        reports = []
    }
}

extension WaitingReport {
    fileprivate var isDevice: Bool { if case .device = subject { true } else { false } }
}
