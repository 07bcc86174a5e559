internal import NIOCore

/// The sizes of the messages that libsystemd keeps until the bus reads them, in their order.
struct UnsentMessages {
    private var sizes = CircularBuffer<Int>()
    /// The sum of the sizes, in bytes.
    private(set) var size = 0

    var isEmpty: Bool { sizes.isEmpty }

    /// Adds a message.
    mutating func append(_ size: Int) {
        sizes.append(size)
        self.size += size
    }

    /// Removes the first messages until `count` are left: the bus has read the others.
    mutating func keepLast(_ count: Int) {
        while sizes.count > count { size -= sizes.removeFirst() }
    }
}
