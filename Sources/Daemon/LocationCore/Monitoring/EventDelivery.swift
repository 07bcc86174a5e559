internal import AuthorizationPolicy
internal import Bytewise
internal import LocationModel
internal import Logging
internal import NIOCore

/// Delivers events to apps: on their streams, or through the socket that starts them, or when they connect again.
///
/// For each kind and subject, the newest undelivered event is kept, on the disk too.
final class EventDelivery {
    private let writer: MonitoringWriter
    private let waker: Waker
    let history: AccessHistory
    private let wakeLine: (PendingEvent) -> String
    private let log: Logger
    private var kept: [Key: PendingEvent] = [:]
    /// The kept events that are being written to the apps' sockets. A started app may connect before the daemon knows
    /// that it has the event, and must not get it twice.
    private var underWay: [Key: PendingEvent] = [:]

    private struct Key: Hashable {
        let app: AppKey
        let kind: EventKind
        let subject: BytewiseString

        init(_ app: AppKey, _ kind: EventKind, _ subject: String) {
            self.app = app
            self.kind = kind
            self.subject = BytewiseString(subject)
        }

        init(_ event: PendingEvent) {
            self.init(event.app, event.kind, event.subject)
        }
    }

    /// - Parameter wakeLine: Returns the line for an app started for an event.
    init(
        _ kept: [PendingEvent], writer: MonitoringWriter, waker: Waker, history: AccessHistory,
        wakeLine: @escaping (PendingEvent) -> String, log: Logger
    ) {
        self.writer = writer
        self.waker = waker
        self.history = history
        self.wakeLine = wakeLine
        self.log = log
        for event in kept { self.kept[Key(event)] = event }
    }

    /// Delivers an event that the gate has released, on `streams` or, if there are none, through the socket `wake`.
    /// The event is kept until it is delivered.
    ///
    /// - Parameter subject: The identifier of the event's region, or empty for other kinds of events.
    func deliver<Event: MonitoredEvent>(
        _ event: Released<Event>, subject: String = "", on streams: [EventStream<Event>], wake: String?
    ) {
        guard streams.isEmpty else {
            for stream in streams { stream.send(history.count(event)) }
            return
        }
        guard let pending = event.kept(subject: subject) else {
            return assertionFailure("\(Event.kind): an event that cannot be encoded")
        }
        kept[Key(pending)] = pending
        writer.write(.putPending(pending))
        guard let wake else { return }
        let app = pending.app
        underWay[Key(pending)] = pending
        let line = event.map { _ in wakeLine(pending) }
        history.deliver(line) { line in
            waker.wake(wake, of: app.uid, line: Array(line.value.utf8))
        }.assumeIsolated().whenComplete { result in
            if self.underWay[Key(pending)] == pending { self.underWay[Key(pending)] = nil }
            switch result {
            case .success:
                // An event that came in the meantime is a different one.
                if self.kept[Key(pending)] == pending { self.forget(pending) }
            case .failure(let error):
                self.log.notice(
                    "an app was not started for its event, which is kept: \(error)",
                    metadata: ["APP": "\(app.app)", "UID": "\(app.uid)"])
            }
        }
    }

    /// Returns whether an event of this kind and subject is kept, and not under way to the app.
    func keeps(_ app: AppKey, _ kind: EventKind, subject: String) -> Bool {
        let key = Key(app, kind, subject)
        return kept[key] != nil && underWay[key] == nil
    }

    /// Delivers on `stream` the events kept for it, except for events that are not due now or are under way.
    func deliverPending<Event: MonitoredEvent>(
        _ app: AppKey, on stream: EventStream<Event>, through gate: Gate, needing need: Need
    ) throws(LocationFailure) {
        let events = kept.values.filter {
            $0.app == app && $0.kind == Event.kind && underWay[Key($0)] == nil
        }
        for event in events.sorted(by: { BytewiseString($0.subject) < BytewiseString($1.subject) }) {
            guard
                let released = try gate.release(
                    kept: event, as: Event.self, needing: need, presence: stream.presence)
            else { continue }
            stream.send(history.count(released))
            forget(event)
        }
    }

    /// Forgets the events that were kept for an app, because it may no longer have them.
    func forget(_ app: AppKey) {
        guard kept.keys.contains(where: { $0.app == app }) else { return }
        kept = kept.filter { $0.key.app != app }
        writer.write(.removePendingEvents(app))
    }

    /// Forgets the events that were kept for a user's apps.
    func forgetEvents(of uid: UInt32) {
        for app in Set(kept.keys.map(\.app)) where app.uid == uid { forget(app) }
    }

    /// Forgets the events that were kept for an app, which the store removes with the app's other data.
    func drop(_ app: AppKey) {
        kept = kept.filter { $0.key.app != app }
    }

    /// Forgets the event that was kept for a subject, such as a region.
    func forget(_ app: AppKey, _ kind: EventKind, subject: String) {
        kept[Key(app, kind, subject)].map(forget)
    }

    private func forget(_ event: PendingEvent) {
        kept[Key(event)] = nil
        writer.write(.removePendingEvent(event.app, event.kind, subject: event.subject))
    }
}
