internal import LocationModel
internal import Receivers

/// The reports that the open subscriptions want besides locations. Confined to the event loop.
final class ReportDemand {
    /// The contents that any subscription wants.
    private(set) var contents: ReceiverReportContents = []
    /// The contents, each with the number of subscriptions that want it.
    private var wanted: [(contents: ReceiverReportContents, count: Int)] = [
        (.satellites, 0), (.sentences, 0), (.bytes, 0),
    ]

    /// A Boolean value indicating whether no subscription wants a report.
    var isEmpty: Bool { contents.isEmpty }

    /// Counts a subscription that was opened.
    func open(_ contents: ReceiverReportContents) { count(contents, 1) }

    /// Counts a subscription that was closed.
    func close(_ contents: ReceiverReportContents) { count(contents, -1) }

    private func count(_ contents: ReceiverReportContents, _ difference: Int) {
        guard !contents.isEmpty else { return }
        for index in wanted.indices where contents.contains(wanted[index].contents) {
            wanted[index].count += difference
        }
        self.contents = ReceiverReportContents(wanted.filter { $0.count > 0 }.map(\.contents))
    }
}
