internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import NIOCore
internal import Receivers
internal import Varlink

/// The core's subscriber for a call of `Method`.
class CallSubscriber<Method: LocationMethod>: Subscriber {
    let call: Call<Method>

    init(_ call: Call<Method>) {
        self.call = call
    }

    var client: any Client { call.connection }
    var isEnded: Bool { call.isEnded }
    var replacedCount: Int { call.connection.replacedUpdates }
    func end(_ failure: LocationFailure) { call.fail(failure) }
    func whenEnded(_ body: @escaping () -> Void) { call.whenEnded(body) }
}

/// The subscriber for a call of Subscribe.
final class SubscribeCall: CallSubscriber<Subscribe>, LocationSubscriber {
    private let encoder: LocationEncoder

    init(_ call: Call<Subscribe>, encoder: LocationEncoder) {
        self.encoder = encoder
        super.init(call)
    }

    func receive(_ publication: borrowing Counted<Publication>, isLast: Bool) {
        let reply = encoder.reply(publication, continues: !isLast)
        if isLast { call.reply(reply) } else { call.offer(reply) }
    }

    func receive(_ event: consuming SubscriptionEvent) {
        call.send(Subscribe.Reply(update: Update(event)))
    }

    func complete() { call.reply(Subscribe.Reply()) }
}

/// The subscriber for a call of Record.
final class RecordCall: CallSubscriber<Record>, ReportSubscriber {
    /// The maximum number of bytes in a reply.
    private static let maximumLength = 4096
    /// The maximum number of waiting bytes: a minute of a receiver at 9600 baud.
    private static let maximumWaitingBytes = 65_536

    private let receiver: String?
    private var start: NIODeadline?
    /// The replies that wait until the previous one has been sent to the caller.
    ///
    /// Attack: an app does not read, is revoked, and then reads the waiting replies. So a revocation drops them.
    private var waiting: [Record.Reply] = []
    private var isSending = false

    /// Creates a subscriber.
    ///
    /// - Parameter receiver: The name of the receiver whose bytes are sent, or `nil` for all.
    init(_ call: Call<Record>, receiver: String?) {
        self.receiver = receiver
        super.init(call)
    }

    let wantsHeadings = false

    func wantsReport(withoutFixOf receiver: String) -> Bool { false }

    func wantsBytes(of receiver: String) -> Bool { self.receiver == nil || self.receiver == receiver }

    func receive(_ received: borrowing Counted<ReceivedBytes>) {
        let (name, bytes, time) = (received.value.receiver, received.value.bytes, received.value.time)
        let start = start ?? time
        self.start = start
        for offset in stride(from: 0, to: bytes.count, by: Self.maximumLength) {
            let part = bytes[offset..<min(bytes.count, offset + Self.maximumLength)]
            let elapsed: TimeAmount = time - start
            waiting.append(
                Record.Reply(receiver: name, milliseconds: Int(elapsed.nanoseconds / 1_000_000), bytes: part))
        }
        guard waiting.reduce(0, { $0 + $1.bytes.utf8.count }) <= Self.maximumWaitingBytes else {
            waiting = []
            return call.connection.close()
        }
        sendNext()
    }

    private func sendNext() {
        guard !isSending, !waiting.isEmpty, !isEnded else { return }
        isSending = true
        call.send(waiting.removeFirst())
        call.connection.whenSent { [weak self] in
            self?.isSending = false
            self?.sendNext()
        }
    }

    override func end(_ failure: LocationFailure) {
        waiting = []
        super.end(failure)
    }

    func receive(withoutFix report: borrowing Counted<ReceiverUpdate>) {}

    func receive(_ heading: borrowing Counted<Heading>) {}

    func receive(_ publication: borrowing Counted<Publication>, isLast: Bool) {}

    func receive(_ event: consuming SubscriptionEvent) {
        guard case .authorizationChanged(let authorization) = consume event, authorization.accuracy != .full else {
            return
        }
        end(.locationUnknown)
    }

    func complete() { end(.locationUnknown) }
}

/// The subscriber for a call of GetLocation.
final class GetLocationCall: CallSubscriber<GetLocation>, LocationSubscriber {
    func receive(_ publication: borrowing Counted<Publication>, isLast: Bool) {
        call.reply(GetLocation.Reply(location: publication.location))
    }

    func receive(_ event: consuming SubscriptionEvent) {}

    func complete() { call.fail(.locationUnknown) }
}

/// The subscriber for a call of one of the Monitor methods.
class MonitorCall<Method: LocationMethod, Event>: CallSubscriber<Method>, EventSubscriber {
    fileprivate let reply: (Event) -> Method.Reply

    /// Creates a subscriber.
    ///
    /// - Parameter reply: Returns the reply that carries an event.
    init(_ call: Call<Method>, _ reply: @escaping (Event) -> Method.Reply) {
        self.reply = reply
        super.init(call)
    }

    func receive(_ event: consuming Counted<Event>) { call.send(reply(event.value)) }
}

/// The subscriber for a call of MonitorHeading or RangeBeacons. A newer event supersedes an older one that has not been
/// sent.
final class NewestEventCall<Method: LocationMethod, Event>: MonitorCall<Method, Event> {
    override func receive(_ event: consuming Counted<Event>) {
        guard let encoded = try? EncodedReply<Method>(reply(event.value), continues: true) else { return }
        call.offer(encoded)
    }
}

extension Update {
    /// Creates the update that reports an event of a subscription.
    fileprivate init(_ event: consuming SubscriptionEvent) {
        switch consume event {
        case .paused(let publication): self.init(event: .paused, location: publication.location)
        case .resumed: self.init(event: .resumed)
        case .suspended: self.init(event: .suspended)
        case .unsuspended: self.init(event: .unsuspended)
        case .receiverLost: self.init(event: .receiverLost)
        case .receiverFound: self.init(event: .receiverFound)
        case .authorizationChanged(let authorization):
            self.init(event: .authorizationChanged, authorization: authorization)
        }
    }
}
