import EventLoopSupport
import NIOCore

extension Connection {
    /// The replies that wait for the socket, oldest first. At most one of them, the pending update, is replaceable.
    struct WaitingReplies: WaitingMessages {
        private var replies: [(frame: ByteBuffer, isReplaceable: Bool)] = []
        private var bytes = 0
        /// The maximum size of all replies together, in bytes.
        private let maximumBytes: Int
        /// The number of pending updates that were replaced by newer ones.
        private(set) var replacedUpdates = 0

        init(maximumBytes: Int) {
            self.maximumBytes = maximumBytes
        }

        var isEmpty: Bool { replies.isEmpty }

        /// Adds a reply. A replaceable one replaces the pending update. Returns `false` if the replies exceed the
        /// maximum size.
        mutating func add(_ frame: ByteBuffer, isReplaceable: Bool) -> Bool {
            if isReplaceable, dropPendingUpdate() { replacedUpdates += 1 }
            guard bytes + frame.readableBytes <= maximumBytes else { return false }
            replies.append((frame, isReplaceable))
            bytes += frame.readableBytes
            return true
        }

        /// Drops the pending update. Returns whether there was one.
        @discardableResult
        mutating func dropPendingUpdate() -> Bool {
            guard let index = replies.firstIndex(where: \.isReplaceable) else { return false }
            bytes -= replies.remove(at: index).frame.readableBytes
            return true
        }

        mutating func removeFirst() -> ByteBuffer? {
            guard !replies.isEmpty else { return nil }
            let frame = replies.removeFirst().frame
            bytes -= frame.readableBytes
            if replies.isEmpty { replies = [] }  // An idle connection keeps no buffer.
            return frame
        }

        mutating func dropAll() {
            replies = []
            bytes = 0
        }
    }
}
