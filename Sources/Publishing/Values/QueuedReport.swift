/// A report in the queue, with its identity.
package struct QueuedReport: Sendable, Equatable {
    /// The identity, under which the report is acknowledged.
    package let identity: ReportIdentity
    /// The report.
    package let report: Report

    /// Creates an entry of the queue.
    package init(identity: ReportIdentity, report: Report) {
        self.identity = identity
        self.report = report
    }
}
