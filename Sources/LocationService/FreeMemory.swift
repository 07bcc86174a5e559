internal import CLinux
internal import NIOCore

/// Gives memory back to the system after many connections were closed.
///
/// Attack: a user opens as many connections as it may, has each of them take as much as it can, and closes them. The C
/// library would keep what they took for the daemon. Confined to the event loop.
final class FreeMemory {
    /// After fewer connections than this, there is little to give back.
    static let notableConnections = 64
    /// How long after they were closed: what they used is freed as they go.
    static let delay = TimeAmount.seconds(1)

    private let loop: any EventLoop
    private var most = 0
    private var isScheduled = false

    init(on loop: any EventLoop) {
        self.loop = loop
    }

    /// A connection was accepted or closed.
    func connectionsChanged(to count: Int) {
        most = max(most, count)
        guard most >= Self.notableConnections, count <= most / 4, !isScheduled else { return }
        isScheduled = true
        loop.assumeIsolated().scheduleTask(in: Self.delay) {
            self.isScheduled = false
            self.most = 0
            memory_give_back()
        }
    }
}
