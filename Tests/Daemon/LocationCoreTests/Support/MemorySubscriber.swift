import LocationCore
import LocationModel

/// A subscriber without a transport.
class MemorySubscriber: Subscriber {
    let client: any Client
    private(set) var failure: LocationFailure?
    private(set) var isEnded = false
    let replacedCount = 0
    private var ending: (() -> Void)?

    init(_ client: any Client) { self.client = client }

    func end(_ failure: LocationFailure) {
        self.failure = failure
        finish()
    }

    func finish() {
        guard !isEnded else { return }
        isEnded = true
        ending?()
    }

    func whenEnded(_ body: @escaping () -> Void) {
        if isEnded { body() } else { ending = body }
    }
}

/// A subscriber that keeps the events that it receives.
final class MemoryEvents<Event: Sendable>: MemorySubscriber, EventSubscriber {
    private(set) var events: [Event] = []

    func receive(_ event: consuming Counted<Event>) { events.append(event.value) }
}
