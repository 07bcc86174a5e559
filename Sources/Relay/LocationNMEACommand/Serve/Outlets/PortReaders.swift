/// The readers of a port, by owner: decides which of them are admitted.
///
/// Attack: another user's program, or another machine, connects as often as it may and reads nothing, so that the
/// intended program is turned away. So each owner may have a few readers only, and when the port is full, the owner
/// with the most readers loses one.
struct PortReaders<Reader: Equatable> {
    /// The owner of a reader.
    enum Owner: Hashable {
        /// A user of this machine.
        case user(UInt32)
        /// An IPv4 address, or an IPv6 /64 network: one machine may own all its addresses.
        case network([UInt8])
    }

    /// The decision about a reader.
    enum Admission: Equatable {
        case admitted
        /// The new reader is admitted in place of this one.
        case replaces(Reader)
        /// The owner has the maximum number already.
        case tooManyOfOwner
        case tooMany
    }

    /// The maximum number of readers in total, and per owner.
    let maximumCount: Int
    let maximumPerOwner: Int

    /// The readers, the oldest first.
    private var entries: [(reader: Reader, owner: Owner)] = []

    init(maximumCount: Int, maximumPerOwner: Int) {
        (self.maximumCount, self.maximumPerOwner) = (maximumCount, maximumPerOwner)
    }

    var all: [Reader] { entries.map(\.reader) }

    /// Decides about a reader, and adds it if admitted.
    mutating func add(_ reader: Reader, of owner: Owner) -> Admission {
        let counts = Dictionary(entries.map { ($0.owner, 1) }, uniquingKeysWith: +)
        let own = counts[owner] ?? 0
        guard own < maximumPerOwner else { return .tooManyOfOwner }
        guard entries.count >= maximumCount else {
            entries.append((reader, owner))
            return .admitted
        }
        // Not if the newcomer's owner would then have more readers.
        let most = counts.values.max() ?? 0
        guard most > own + 1, let index = entries.lastIndex(where: { counts[$0.owner] == most }) else {
            return .tooMany
        }
        let replaced = entries.remove(at: index).reader
        entries.append((reader, owner))
        return .replaces(replaced)
    }

    /// Removes a reader. Returns whether it was present.
    mutating func remove(_ reader: Reader) -> Bool {
        guard let index = entries.firstIndex(where: { $0.reader == reader }) else { return false }
        entries.remove(at: index)
        return true
    }

    /// Removes all readers, and returns them.
    mutating func removeAll() -> [Reader] {
        defer { entries = [] }
        return all
    }
}
