internal import Glibc

/// A pidfd that is closed with its last reference.
public final class ProcessDescriptor: Sendable {
    /// Valid as long as this object lives. Readable once the process has ended.
    public let descriptor: CInt

    /// Takes over `descriptor`.
    public init(owning descriptor: CInt) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// A Boolean value indicating whether the process has not ended yet.
    public var isAlive: Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, 0) == 0
    }
}
