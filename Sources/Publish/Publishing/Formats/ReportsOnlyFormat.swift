/// A format over HTTP, which has no topics: only reports are sent, not the newest location or the connection state.
package struct ReportsOnlyFormat: ReportFormat {
    private let format: any ReportFormat

    /// Creates the format.
    package init(_ format: any ReportFormat) {
        self.format = format
    }

    package var availability: Availability? { nil }
    package var announcements: [Message] { [] }
    package var maximumBatch: Int { format.maximumBatch }

    package func state(of entry: QueuedReport) -> Message? { nil }
    package func message(for entry: QueuedReport) -> Message { format.message(for: entry) }
    package func message(for entries: [QueuedReport]) -> Message { format.message(for: entries) }
}
