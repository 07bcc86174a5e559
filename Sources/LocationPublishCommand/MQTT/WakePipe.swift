internal import Glibc

/// A pipe that wakes a thread in poll(2).
final class WakePipe: Sendable {
    /// The end to poll for input.
    let readEnd: CInt
    private let writeEnd: CInt

    /// Returns `nil` if the process has no descriptors left.
    init?() {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Wakes the thread. A pipe that is full wakes it already.
    func wake() {
        var byte: UInt8 = 0
        _ = write(writeEnd, &byte, 1)
    }

    /// Forgets all earlier calls of ``wake()``.
    func drain() {
        var bytes = [64 of UInt8](repeating: 0)
        var span = bytes.mutableSpan
        span.withUnsafeMutableBytes { buffer in
            while read(readEnd, buffer.baseAddress, buffer.count) > 0 {}
        }
    }
}
