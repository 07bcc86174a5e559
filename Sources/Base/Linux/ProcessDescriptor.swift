internal import CLinux
internal import Glibc

/// A pidfd that is closed with its last reference.
public final class ProcessDescriptor: Sendable {
    /// The pidfd, valid during the lifetime of this object. It becomes readable once the process has ended.
    public let descriptor: CInt

    /// Takes ownership of `descriptor`.
    public init(owning descriptor: CInt) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// A Boolean value indicating whether the process is still alive.
    public var isAlive: Bool { process_is_alive(descriptor) != 0 }
}
