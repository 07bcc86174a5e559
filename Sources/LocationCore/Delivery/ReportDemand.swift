internal import LocationModel
internal import Receivers

/// The reports that the open subscriptions want besides locations. Confined to the event loop.
final class ReportDemand {
    private let receivers: ReceiverControl
    private var satellites = 0
    private var sentences = 0

    init(receivers: ReceiverControl) {
        self.receivers = receivers
    }

    /// A Boolean value indicating whether no subscription wants any.
    var isEmpty: Bool { satellites == 0 && sentences == 0 }

    /// Counts a subscription that was opened.
    func open(_ contents: ReceiverReportContents) { count(contents, 1) }

    /// Counts a subscription that was closed.
    func close(_ contents: ReceiverReportContents) { count(contents, -1) }

    private func count(_ contents: ReceiverReportContents, _ difference: Int) {
        guard !contents.isEmpty else { return }
        if contents.contains(.satellites) { satellites += difference }
        if contents.contains(.sentences) { sentences += difference }
        var wanted: ReceiverReportContents = satellites > 0 ? .satellites : []
        if sentences > 0 { wanted.insert(.sentences) }
        receivers.setReportContents(wanted)
    }
}
