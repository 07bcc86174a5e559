internal import EventLoopSupport
internal import LocationCore
internal import LocationProtocol
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
        /// Sends what has changed since it was called last. Returns whether there was anything.
        let send: () -> Bool
        var hasChanges = true
        var isSending = false

        init(_ subject: Subject, _ send: @escaping () -> Bool) {
            self.subject = subject
            self.send = send
        }
    }

    private var observers: [ObjectIdentifier: Observer] = [:]
    private let collection: LoopTimer
    private let refresh: LoopTimer

    init(on loop: any EventLoop) {
        collection = LoopTimer(on: loop)
        refresh = LoopTimer(on: loop)
    }

    /// Replies with the list that `view` returns; with `more` again when it has changed.
    func show<Method: ManageMethod>(
        _ call: Call<Method>, about subject: Subject, _ view: @escaping () -> Method.Reply
    ) where Method.Reply: Page {
        guard call.more else { return PageSender(call).send(view(), continues: false) }
        var last: [Method.Reply.Element]?
        add(call, about: subject) {
            let elements = view().elements
            guard elements != last else { return nil }
            last = elements
            return Method.Reply(elements: elements)
        }
    }

    /// Replies with the list that `next` returns, at once, and again when what the call is shown has changed, until it ends.
    ///
    /// - Parameter next: Returns what is to be sent; `nil` for nothing.
    func add<Method: ManageMethod>(
        _ call: Call<Method>, about subject: Subject, _ next: @escaping () -> Method.Reply?
    ) where Method.Reply: Page {
        let id = ObjectIdentifier(call.untyped)
        let sender = PageSender(call)
        let observer = Observer(subject) {
            guard let list = next() else { return false }
            sender.send(list, continues: true)
            return true
        }
        sender.onSent = { [unowned self, weak observer] in
            observer?.isSending = false
            if observer?.hasChanges == true { collect() }
        }
        observers[id] = observer
        call.whenEnded { [unowned self] in
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
        observer.isSending = observer.send()
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
