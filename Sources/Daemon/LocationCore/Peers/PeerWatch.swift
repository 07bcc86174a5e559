internal import CLinux
internal import EventLoopSupport
internal import Glibc
internal import Linux

/// Watches the processes behind connections without periodic wake-ups.
///
/// Attack: an app passes its connected socket to another process, or leaves it to a child, and ends. The other process
/// would keep reading under the app's name. So the pidfds of all peers are in one epoll set, which is queried before
/// anything is delivered, with one system call for all of them. Connections of processes that have ended are closed
/// first. Grants that end with the app do not wait for the next delivery either: the end of a process is reported.
final class PeerWatch {
    /// Called on the loop when a process may have ended.
    var onEnded: (() -> Void)?

    private let epoll: CInt
    private let poller: DescriptorPoller
    /// The watch of the set, from the first process on.
    private var watch: DescriptorPoller.Watch?

    /// Creates a watch without processes.
    init(poller: DescriptorPoller) throws(SystemCallError) {
        self.poller = poller
        epoll = process_set_create()
        guard epoll >= 0 else { throw SystemCallError("epoll_create1", -epoll) }
    }

    deinit {
        watch?.end()
        if epoll >= 0 { close(epoll) }
    }

    /// Stops watching. To be called before the loop ends.
    func stop() {
        onEnded = nil
        watch?.end()
    }

    /// Watches the process of `pidfd` under the number `id`. The process is forgotten when the pidfd is closed.
    func add(pidfd: CInt, id: UInt64) throws(SystemCallError) {
        let failure = process_set_add(epoll, pidfd, id)
        guard failure == 0 else { throw SystemCallError("epoll_ctl", failure) }
        guard watch == nil else { return }
        let watch = poller.watch(epoll) { [unowned self] _ in
            onEnded?()
            try? self.watch?.wait(for: .readable)
        }
        try watch.wait(for: .readable)
        self.watch = watch
    }

    /// Returns the processes that have ended since the last call, each of them once.
    func reap() -> [UInt64] {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) { ids in
            var ended: [UInt64] = []
            var count = 0
            repeat {
                count = Int(process_set_ended(epoll, ids.baseAddress!, 64))
                if count > 0 { ended += ids.prefix(count) }
            } while count == 64
            return ended
        }
    }
}
