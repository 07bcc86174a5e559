internal import LocationCore
internal import LocationModel

/// The core's subscriber for a client object.
final class ClientSubscriber: LocationSubscriber {
    let client: any Client
    private(set) var isEnded = false
    /// Does not count locations that the client's thresholds hold back.
    private(set) var replacedCount = 0
    private let id: ClientID
    private unowned let front: GeoClueFront
    private var onEnd: (() -> Void)?

    init(_ id: ClientID, of client: BusClient, front: GeoClueFront) {
        self.id = id
        self.client = client
        self.front = front
    }

    func receive(_ publication: borrowing Counted<Publication>, isLast: Bool) {
        guard front.isReading(id) else { return replacedCount += 1 }
        front.perform(front.tree.received(publication.location, for: id))
    }

    func receive(_ event: consuming SubscriptionEvent) {
        switch consume event {
        case .suspended: front.perform(front.tree.modify(id) { $0.setSuspended(true) })
        case .unsuspended: front.perform(front.tree.modify(id) { $0.setSuspended(false) })
        case .authorizationChanged(let authorization) where authorization.accuracy == .reduced:
            front.perform(front.tree.modify(id) { $0.accuracyReduced() })
        default: break
        }
    }

    func end(_ failure: LocationFailure) {
        guard !isEnded else { return }
        finish()
        front.subscriptionEnded(id)
    }

    func complete() { end(.locationUnknown) }

    /// Ends the subscription without notifying the client.
    func finish() {
        guard !isEnded else { return }
        isEnded = true
        let onEnd = onEnd
        self.onEnd = nil
        onEnd?()
    }

    func whenEnded(_ body: @escaping () -> Void) {
        if isEnded { body() } else { onEnd = body }
    }
}
