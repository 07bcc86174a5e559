internal import LocationCore
internal import LocationModel
internal import Receivers

/// The core's subscriber for a client that watches.
final class SessionSubscriber: ReportSubscriber {
    private let connection: GPSDConnection
    private(set) var isEnded = false
    private var onEnded: (() -> Void)?
    /// The number of locations that the connection had not sent when the subscription began, and when it ended.
    private let unsentBefore: Int
    private var unsentAtEnd: Int?

    init(_ connection: GPSDConnection) {
        self.connection = connection
        unsentBefore = connection.unsentLocations
    }

    var client: any Client { connection }
    var replacedCount: Int { (unsentAtEnd ?? connection.unsentLocations) - unsentBefore }
    private var conversation: Conversation? { isEnded ? nil : connection.conversation }

    // MARK: The end

    func end(_ failure: LocationFailure) { endFromCore() }
    func complete() { endFromCore() }

    func whenEnded(_ body: @escaping () -> Void) {
        if isEnded { body() } else { onEnded = body }
    }

    /// Ends the subscription, because the client no longer wants it.
    func close() {
        guard !isEnded else { return }
        isEnded = true
        unsentAtEnd = connection.unsentLocations
        let onEnded = onEnded
        self.onEnded = nil
        onEnded?()
    }

    /// Ends the subscription for the core. The client's waiting reports are dropped first, and count as not sent.
    private func endFromCore() {
        conversation?.subscriptionEnded(self)
        close()
    }

    // MARK: Deliveries

    var wantsHeadings: Bool { conversation?.wantsHeadings ?? false }

    func wantsReport(withoutFixOf receiver: String) -> Bool {
        conversation?.wantsReport(withoutFixOf: receiver) ?? false
    }

    func receive(_ publication: borrowing Counted<Publication>, isLast: Bool) {
        conversation?.receive(connection.server.encoder.messages(publication))
    }

    func receive(withoutFix report: borrowing Counted<ReceiverUpdate>) {
        conversation?.receive(connection.server.encoder.messages(withoutFix: report))
    }

    func receive(_ heading: borrowing Counted<Heading>) {
        conversation?.receive(attitude: connection.server.encoder.attitude(heading))
    }

    func receive(_ event: consuming SubscriptionEvent) {
        switch consume event {
        case .suspended: conversation?.handle(.suspended)
        case .unsuspended: conversation?.handle(.unsuspended)
        case .receiverLost: conversation?.handle(.receiverLost)
        case .authorizationChanged(let authorization): conversation?.authorizationChanged(to: authorization)
        default: break
        }
    }
}
