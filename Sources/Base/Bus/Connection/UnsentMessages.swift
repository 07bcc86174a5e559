internal import NIOCore

/// The sizes of the messages that libsystemd keeps until the bus reads them, oldest first.
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

    /// Removes the oldest messages until `count` are left. The bus has read the removed ones.
    mutating func keepLast(_ count: Int) {
        while sizes.count > count { size -= sizes.removeFirst() }
    }
}
