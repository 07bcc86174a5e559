internal import Glibc

/// A self-pipe: wakes a thread that waits in poll(2), now or as soon as it begins to wait.
package final class WakePipe: Sendable {
    /// Becomes readable when ``wake()`` is called. Non-blocking.
    package let descriptor: CInt
    private let writing: CInt

    package init() throws(SystemCallError) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemCallError("pipe", errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, writing) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writing)
    }

    /// Makes the descriptor readable. A full pipe is readable anyway.
    package func wake() { write(writing, "", 1) }

    /// Makes the descriptor unreadable until the next ``wake()``.
    package func clear() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
        }
    }
}
