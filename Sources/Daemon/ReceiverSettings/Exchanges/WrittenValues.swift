internal import NIOCore

/// The values that were written to a receiver, and its own ones in their place.
///
/// They outlast a closing of the port: an undo that was lost must not be read as the receiver's own value, and is made
/// up for at the next opening.
struct WrittenValues {
    private struct Entry {
        let exchange: Exchange
        let written: [Int]
        let original: [Int]
        /// A Boolean value indicating whether the value was written, and not put back, since the port was opened.
        var isCurrent = true
    }

    /// The entries in the order of writing, one for each key.
    private var entries: [Entry] = []

    /// The exchanges of all values.
    var exchanges: [Exchange] { entries.map(\.exchange) }

    /// Returns the receiver's own value, given the one that it has now.
    func original(of exchange: Exchange, now value: [Int]) -> [Int] {
        guard let entry = entries.first(where: { $0.exchange.key == exchange.key }) else { return value }
        return entry.isCurrent || entry.written == value ? entry.original : value
    }

    /// Records the value that the receiver has or is to have. Its own one need not be put back.
    mutating func record(_ exchange: Exchange, written: [Int], original: [Int]) {
        entries.removeAll { $0.exchange.key == exchange.key }
        if written != original { entries.append(Entry(exchange: exchange, written: written, original: original)) }
    }

    /// Returns the commands that put the values back, and the time that the receiver needs after them. A receiver whose
    /// engine restarts does not hear the next command, so such values come last.
    mutating func putBack() -> (commands: [[UInt8]], settlingTime: TimeAmount) {
        defer { portClosed() }
        let current = entries.filter(\.isCurrent)
        let (restarting, others) = (current.filter(\.exchange.restarts), current.filter { !$0.exchange.restarts })
        return (
            (others.reversed() + restarting).map { $0.exchange.write($0.original) },
            restarting.map(\.exchange.settlingTime).max() ?? .zero
        )
    }

    /// Records that nothing more can be written.
    mutating func portClosed() {
        for index in entries.indices { entries[index].isCurrent = false }
    }
}
