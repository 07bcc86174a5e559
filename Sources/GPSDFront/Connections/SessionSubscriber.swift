internal import LocationCore
internal import LocationModel

/// The core's subscriber for a client that watches.
final class SessionSubscriber: ReportSubscriber {
    private let connection: GPSDConnection
    private(set) var isEnded = false
    private var onEnded: (() -> Void)?

    init(_ connection: GPSDConnection) {
        self.connection = connection
    }

    var client: any Client { connection }
    var replacedCount: Int { connection.replacedReports }
    private var conversation: Conversation? { isEnded ? nil : connection.conversation }

    // MARK: The end

    func end(_ failure: LocationFailure) { endFromCore() }
    func complete() { endFromCore() }

    func whenEnded(_ body: @escaping () -> Void) {
        if isEnded { body() } else { onEnded = body }
    }

    /// Ends the subscription, because the client does not want it any more.
    func close() {
        guard !isEnded else { return }
        isEnded = true
        let onEnded = onEnded
        self.onEnded = nil
        onEnded?()
    }

    private func endFromCore() {
        let conversation = conversation
        close()
        conversation?.subscriptionEnded(self)
    }

    // MARK: Deliveries

    func receive(_ location: borrowing Counted<Location>, of publication: Publication, isLast: Bool) {
        conversation?.receive(connection.server.encoder.messages(location, of: publication))
    }

    func receive(
        _ location: borrowing Counted<Location>, with report: borrowing Counted<ReceiverReport>,
        of publication: Publication
    ) {
        conversation?.receive(connection.server.encoder.messages(location, with: report, of: publication))
    }

    func receive(_ report: borrowing Counted<ReceiverReport>) {
        conversation?.receive(connection.server.encoder.messages(withoutFix: report))
    }

    func receive(_ heading: borrowing Counted<Heading>) {
        let (attitude, device) = connection.server.encoder.attitude(heading)
        conversation?.receive(attitude: attitude, of: device)
    }

    func receive(_ event: consuming SubscriptionEvent) {
        switch consume event {
        case .suspended: conversation?.suspended()
        case .unsuspended: conversation?.unsuspended()
        case .receiverLost: conversation?.receiverLost()
        case .authorizationChanged(let authorization): conversation?.authorizationChanged(to: authorization)
        default: break
        }
    }
}
