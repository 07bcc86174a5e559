internal import CLinux
internal import NIOCore

/// A helper that returns memory to the system after the start, and after many connections have closed.
///
/// Attack: a user opens as many connections as permitted, makes each of them use as much memory as it can, and closes
/// them. The C library would keep that memory for the daemon. Confined to the event loop.
final class MemoryTrimmer {
    /// The minimum number of closed connections that is worth returning memory for.
    static let minimumClosedConnections = 48
    /// The delay after the connections have closed. Clients that reconnect at once need the memory again.
    static let delay = TimeAmount.seconds(3)

    private let loop: any EventLoop
    private var count = 0
    /// The maximum number of connections since memory was last returned. The start needs as much as many.
    private var most = Int.max
    private var isScheduled = false

    init(on loop: any EventLoop) {
        self.loop = loop
        connectionsChanged(to: 0)
    }

    /// Updates the number of connections, and schedules the return of memory if many have closed.
    func connectionsChanged(to count: Int) {
        self.count = count
        most = max(most, count)
        guard haveManyClosed, !isScheduled else { return }
        isScheduled = true
        loop.assumeIsolated().scheduleTask(in: Self.delay) {
            self.isScheduled = false
            guard self.haveManyClosed else { return }
            self.most = self.count
            memory_give_back()
        }
    }

    private var haveManyClosed: Bool { most - count >= Self.minimumClosedConnections }
}
