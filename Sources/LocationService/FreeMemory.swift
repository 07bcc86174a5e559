internal import CLinux
internal import NIOCore

/// Gives memory back to the system after many connections were closed.
///
/// Attack: a user opens as many connections as it may, has each of them take as much as it can, and closes them. The C
/// library would keep what they took for the daemon. Confined to the event loop.
final class FreeMemory {
    /// When fewer connections than this were closed, there is little to give back.
    static let notableConnections = 48
    /// The delay after they were closed: a crowd that comes back at once needs the memory again.
    static let delay = TimeAmount.seconds(3)

    private let loop: any EventLoop
    private var count = 0
    /// The most connections since memory was given back.
    private var most = 0
    private var isScheduled = false

    init(on loop: any EventLoop) {
        self.loop = loop
    }

    /// A connection was accepted or closed.
    func connectionsChanged(to count: Int) {
        self.count = count
        most = max(most, count)
        guard hasCrowdGone, !isScheduled else { return }
        isScheduled = true
        loop.assumeIsolated().scheduleTask(in: Self.delay) {
            self.isScheduled = false
            guard self.hasCrowdGone else { return }
            self.most = self.count
            memory_give_back()
        }
    }

    private var hasCrowdGone: Bool { most - count >= Self.notableConnections }
}
