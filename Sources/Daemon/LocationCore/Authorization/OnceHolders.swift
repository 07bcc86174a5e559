internal import AuthorizationPolicy
internal import EventLoopSupport
internal import LocationModel
internal import Logging
internal import NIOCore

/// Remembers across a restart which processes have a grant for "once", which continues for these alone.
///
/// Confined to the event loop.
final class OnceHolders {
    /// The shortest time between two writes.
    ///
    /// Attack: an app with such a grant keeps starting processes, and wears the disk out.
    private static let writingInterval = TimeAmount.seconds(1)
    /// The maximum number of processes of an app that are remembered: the latest.
    static let maximumCount = 64

    private let store: Store
    private let loop: any EventLoop
    private let log: Logger
    /// The processes of this start of the machine.
    private var holders: [AppKey: [ProcessStart]]
    private var unwritten: Set<AppKey> = []
    private let timer: LoopTimer
    private let boot: String

    /// - Parameter boot: The ID of this start of the machine: random(4). Processes of other starts do not count.
    init(_ store: Store, boot: String, on loop: any EventLoop, log: Logger) {
        self.store = store
        self.boot = boot
        self.loop = loop
        self.log = log
        timer = LoopTimer(on: loop)
        holders = store.loadOnceHolders(boot: boot)
    }

    /// The processes that had a grant for "once" when the daemon ended, by app.
    var stored: [AppKey: Set<ProcessStart>] { holders.mapValues { Set($0) } }

    /// Records processes of an app that has a grant for "once".
    func add(_ processes: [ProcessStart], of app: AppKey) {
        let known = holders[app] ?? []
        let new = processes.filter { !known.contains($0) }
        guard !new.isEmpty else { return }
        holders[app] = Array((known + new).suffix(Self.maximumCount))
        unwritten.insert(app)
        if !timer.isSet { write() }
    }

    /// Forgets an app whose grant for "once" has ended. The store forgets it with the decision.
    func remove(_ app: AppKey) {
        holders[app] = nil
        unwritten.remove(app)
    }

    /// Writes the processes not written yet. The future never fails.
    func flush() -> EventLoopFuture<Void> {
        timer.cancel()
        return write()
    }

    @discardableResult
    private func write() -> EventLoopFuture<Void> {
        guard !unwritten.isEmpty else { return loop.makeSucceededVoidFuture() }
        let changed = Dictionary(uniqueKeysWithValues: unwritten.map { ($0, holders[$0] ?? []) })
        unwritten = []
        timer.set(in: Self.writingInterval) { self.write() }
        let log = log
        return store.set(onceHolders: changed, boot: boot, on: loop).recover { error in
            log.error("a grant for \"once\" will end with locationd, as its processes could not be written: \(error)")
        }
    }
}
