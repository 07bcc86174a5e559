internal import EventLoopSupport
internal import LocationCore
internal import LocationModel
internal import LocationProtocol
internal import NIOCore
internal import Positioning
internal import Varlink

/// The calls with `more` that receive a list, and receive it again after each change.
///
/// Attack: an app makes and withdraws a request a thousand times a second. Without a limit, each list would be made and
/// sent a thousand times a second for each observer, and the daemon would stall for seconds. So changes are collected,
/// and a list is made at most every 100 ms, and not before the socket has accepted the previous one.
///
/// Without changes, no timer is set. Confined to the event loop.
final class ListObservers {
    /// The subject of an observed list.
    enum Subject {
        case apps, sessions, receivers, prompts, indicator
    }

    /// The interval over which changes are collected.
    static let collectionInterval = TimeAmount.milliseconds(100)
    /// The interval between two updates about receivers and satellites, which change all the time.
    static let refreshInterval = TimeAmount.seconds(1)

    private final class Observer {
        let subject: Subject
        /// Sends the changes since the last call. Returns whether there were any.
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
    private let quarter: LoopTimer
    private let clock: () -> Timestamp

    init(on loop: any EventLoop, clock: @escaping () -> Timestamp) {
        collection = LoopTimer(on: loop)
        refresh = LoopTimer(on: loop)
        quarter = LoopTimer(on: loop)
        self.clock = clock
    }

    /// Replies with the result of `view`. If the call has `more`, replies again whenever the list has changed.
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

    /// Replies with the result of `next`: at once, and again whenever the subject has changed, until the call ends.
    ///
    /// - Parameters:
    ///   - onEnd: Called once the call has ended.
    ///   - next: Returns the list to send, or `nil` if there is nothing to send.
    func add<Method: ManageMethod>(
        _ call: Call<Method>, about subject: Subject, onEnd: @escaping () -> Void = {},
        _ next: @escaping () -> Method.Reply?
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
            onEnd()
        }
        update(observer)
        setRefresh()
    }

    /// Schedules an update of the subject's observers, because their lists may have changed.
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

    /// Schedules the next updates that only time brings while a call observes their subject, and cancels them
    /// otherwise.
    ///
    /// Attack: a program that may not see movement observes the indicator. An update that waited for the next change
    /// would show when the sky opens, since fixes and doubts bring changes. So at each quarter of an hour, when its list
    /// may become another one, the update comes at once.
    private func setRefresh() {
        set(refresh, for: .receivers, in: Self.refreshInterval) { self.changed(.receivers) }
        let now = clock()
        let rest = AccuracyReducer.nextTick(after: now).millisecondsSince1970 - now.millisecondsSince1970
        set(quarter, for: .indicator, in: .milliseconds(rest)) {
            for observer in self.observers.values where observer.subject == .indicator {
                observer.hasChanges = true
                self.update(observer)
            }
        }
    }

    private func set(
        _ timer: LoopTimer, for subject: Subject, in time: TimeAmount, _ update: @escaping () -> Void
    ) {
        if !observers.values.contains(where: { $0.subject == subject }) {
            timer.cancel()
        } else if !timer.isSet {
            timer.set(in: time) {
                update()
                self.setRefresh()
            }
        }
    }
}
