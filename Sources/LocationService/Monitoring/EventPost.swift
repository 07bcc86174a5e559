internal import Authorization
internal import LocationProtocol
internal import Logging
internal import NIOCore
internal import Varlink

/// Brings events to apps: on their streams, else through the socket that starts them, else when they are back.
///
/// Of one kind, the newest that could not be delivered is kept, on the disk too.
final class EventPost {
    private let store: Store
    private let waker: Waker
    private let record: Record
    private let loop: any EventLoop
    private let log: Logger
    private var kept: [Key: PendingEvent] = [:]

    private struct Key: Hashable {
        let app: AppKey
        let method: String
        let subject: String

        init(_ app: AppKey, _ method: String, _ subject: String) {
            self.app = app
            self.method = method
            self.subject = subject
        }

        init(_ event: PendingEvent) {
            self.init(event.app, event.method, event.subject)
        }
    }

    init(_ kept: [PendingEvent], store: Store, waker: Waker, record: Record, on loop: any EventLoop, log: Logger) {
        self.store = store
        self.waker = waker
        self.record = record
        self.loop = loop
        self.log = log
        for event in kept { self.kept[Key(event)] = event }
    }

    /// An event of a monitoring method: what a stream of that method replies with.
    struct Event<Reply: Encodable> {
        let app: AppKey
        /// The method's name without the interface's.
        let method: String
        /// What events of the method are told apart by: a region's identifier.
        var subject = ""
        let reply: Released<Reply>
    }

    /// Delivers `event` on `streams` or, where there are none, through the socket `wake`. Until that has succeeded it is kept.
    func deliver(_ event: Event<some Encodable>, on streams: [EventStream], wake: String?) {
        guard streams.isEmpty else {
            for stream in streams { stream.send(event.reply.value) }
            record.delivered(event.reply, to: event.app)
            return
        }
        guard let parameters = try? text(of: event.reply.value) else {
            return assertionFailure("\(event.method): an event that cannot be encoded")
        }
        let pending = PendingEvent(
            app: event.app, method: event.method, subject: event.subject, parameters: parameters)
        kept[Key(pending)] = pending
        write(.putPending(pending))
        guard let wake else { return }
        let line = "{\"method\":\"\(LocationInterface.name).\(event.method)\",\"parameters\":\(parameters)}"
        waker.wake(wake, of: event.app.uid, line: Array(line.utf8)).assumeIsolated().whenComplete { result in
            switch result {
            case .success:
                self.record.delivered(event.reply, to: event.app)
                // One that came meanwhile is another one.
                if self.kept[Key(pending)] == pending { self.forget(pending) }
            case .failure(let error):
                self.log.notice(
                    "an app was not started for its event, which is kept: \(error)",
                    metadata: ["APP": "\(event.app.app)", "UID": "\(event.app.uid)"])
            }
        }
    }

    /// Whether an event is kept.
    func keeps(_ app: AppKey, _ method: String, subject: String) -> Bool {
        kept[Key(app, method, subject)] != nil
    }

    /// Delivers on `stream` what was kept for it.
    func deliverKept(_ app: AppKey, _ method: String, on stream: EventStream) {
        for event in kept.values.filter({ $0.app == app && $0.method == method }).sorted(by: { $0.subject < $1.subject }
        ) {
            if let reply = try? JSONValue(parsing: Array(event.parameters.utf8).span) {
                stream.send(reply)
                record.delivered(to: app, accuracy: .full, inBackground: stream.presence == .background)
            }
            kept[Key(event)] = nil
        }
        write(.removePending(app, method: method))
    }

    /// Forgets what was kept for an app: it may not have it any more.
    func forget(_ app: AppKey) {
        guard kept.keys.contains(where: { $0.app == app }) else { return }
        kept = kept.filter { $0.key.app != app }
        write(.forgetPending(app))
    }

    /// Forgets what was kept of one region.
    func forget(_ app: AppKey, _ method: String, subject: String) {
        kept[Key(app, method, subject)].map(forget)
    }

    private func forget(_ event: PendingEvent) {
        kept[Key(event)] = nil
        write(.removePendingEvent(event.app, method: event.method, subject: event.subject))
    }

    private func write(_ change: MonitoringChange) {
        store.write(change, on: loop).assumeIsolated().whenFailure { error in
            self.log.error("what is monitored could not be written: \(error)")
        }
    }

    private func text(of reply: some Encodable) throws -> String {
        var writer = JSONWriter()
        try writer.value(encoding: reply)
        return writer.text
    }
}
