internal import EventLoopSupport
internal import NIOCore
internal import Varlink

/// The calls with `more` that are shown a list, and again when it has changed.
///
/// Attack: an app that asks and goes a thousand times a second has each list made and sent a thousand times a second, for
/// each observer: the daemon stalled for seconds. Changes are collected, and a list is made at most every 100 ms and not
/// before the one before it was taken.
///
/// Nothing is scheduled while nothing changes. Confined to the event loop.
final class ViewObservers {
    /// What an observer is shown.
    enum Subject {
        case sessions, receivers, prompts, indicator
    }

    /// The time in which changes are collected.
    static let collectionInterval = TimeAmount.milliseconds(100)
    /// The time between two looks at the receivers and satellites, which change all the time.
    static let refreshInterval = TimeAmount.seconds(1)

    private final class Observer {
        let subject: Subject
        let sender: PageSender
        /// Sends what has changed since it was called last, or says that there is nothing.
        let send: (PageSender) -> Void
        var hasChanges = true
        var isSending = false

        init(_ call: Call, _ subject: Subject, _ send: @escaping (PageSender) -> Void) {
            self.subject = subject
            self.send = send
            sender = PageSender(call)
        }
    }

    private var observers: [ObjectIdentifier: Observer] = [:]
    private let collection: LoopTimer
    private let refresh: LoopTimer

    init(on loop: any EventLoop) {
        collection = LoopTimer(on: loop)
        refresh = LoopTimer(on: loop)
    }

    /// Has `send` called at once, and again when what the call is shown has changed, until it ends. `send` sends one list,
    /// or says that there is nothing to send.
    func add(_ call: Call, about subject: Subject, _ send: @escaping (PageSender) -> Void) {
        let id = ObjectIdentifier(call)
        let observer = Observer(call, subject, send)
        observer.sender.onSent = { [unowned self, weak observer] in
            observer?.isSending = false
            if observer?.hasChanges == true { collect() }
        }
        observers[id] = observer
        call.onEnd = { [unowned self] in
            observers[id] = nil
            setRefresh()
        }
        update(observer)
        setRefresh()
    }

    /// What the subject's observers are shown may have changed.
    func changed(_ subject: Subject) {
        var isObserved = false
        for observer in observers.values where observer.subject == subject {
            observer.hasChanges = true
            isObserved = true
        }
        if isObserved { collect() }
    }

    private func collect() {
        guard !collection.isSet else { return }
        collection.set(in: Self.collectionInterval) {
            for observer in self.observers.values { self.update(observer) }
        }
    }

    private func update(_ observer: Observer) {
        guard observer.hasChanges, !observer.isSending else { return }
        observer.hasChanges = false
        observer.isSending = true
        observer.send(observer.sender)
    }

    /// Looks at the receivers again while somebody watches them, and wakes nobody otherwise.
    private func setRefresh() {
        let isWanted = observers.values.contains { $0.subject == .receivers }
        if !isWanted {
            refresh.cancel()
        } else if !refresh.isSet {
            refresh.set(in: Self.refreshInterval) {
                self.changed(.receivers)
                self.setRefresh()
            }
        }
    }
}
