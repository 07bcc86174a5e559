internal import CLinux
internal import Glibc

/// Watches the processes behind connections, without a wake-up of its own.
///
/// Attack: an app passes its connected socket to another process, or leaves it to a child, and ends; the other would go
/// on reading under the app's name. So the pidfds of all peers sit in one epoll set that is asked, in one system call
/// however many there are, before anything is delivered: the connections of processes that have ended are closed first.
final class PeerWatch {
    private let epoll: CInt

    /// Throws where the kernel gives no epoll instance.
    init() throws(Failure) {
        epoll = process_set_create()
        guard epoll >= 0 else { throw Failure(errno: -epoll) }
    }

    deinit { close(epoll) }

    /// A system call that failed.
    struct Failure: Error {
        let errno: CInt
    }

    /// Watches the process of `pidfd`, which is known as `id` from now on. It is forgotten when the pidfd is closed.
    func add(pidfd: CInt, id: UInt64) throws(Failure) {
        let failure = process_set_add(epoll, pidfd, id)
        guard failure == 0 else { throw Failure(errno: failure) }
    }

    /// The processes that have ended since the last call, each told once.
    func reap() -> [UInt64] {
        var ended: [UInt64] = []
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 64) { ids in
            var count = 0
            repeat {
                count = Int(process_set_ended(epoll, ids.baseAddress!, 64))
                ended += ids.prefix(count)
            } while count == 64
        }
        return ended
    }
}
