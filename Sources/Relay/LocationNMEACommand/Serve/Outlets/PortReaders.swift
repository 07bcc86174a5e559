/// The readers of a port, by their owners: the decision which of them are let in.
///
/// Attack: a program of another user, or another machine, connects as often as it may and reads nothing, and the program
/// that the port is for is turned away. So an owner has a few readers, and where there is no room the owner with the
/// most of them gives one up.
struct PortReaders<Reader: Equatable> {
    /// The owner of a reader.
    enum Owner: Hashable {
        /// A user of this machine.
        case user(UInt32)
        /// An IPv4 address, or a network of IPv6 with 64 bits: its addresses may all be one machine's.
        case network([UInt8])
    }

    /// The decision about a reader.
    enum Admission: Equatable {
        case admitted
        /// The reader is let in, in place of that one.
        case replaces(Reader)
        /// Its owner has enough.
        case tooManyOfOwner
        case tooMany
    }

    /// The number of readers, and of readers of one owner.
    let maximumCount: Int
    let maximumPerOwner: Int

    /// The readers, the oldest first.
    private var entries: [(reader: Reader, owner: Owner)] = []

    init(maximumCount: Int, maximumPerOwner: Int) {
        (self.maximumCount, self.maximumPerOwner) = (maximumCount, maximumPerOwner)
    }

    var all: [Reader] { entries.map(\.reader) }

    /// Decides about a reader, and adds one that is let in.
    mutating func add(_ reader: Reader, of owner: Owner) -> Admission {
        let counts = Dictionary(entries.map { ($0.owner, 1) }, uniquingKeysWith: +)
        let own = counts[owner] ?? 0
        guard own < maximumPerOwner else { return .tooManyOfOwner }
        guard entries.count >= maximumCount else {
            entries.append((reader, owner))
            return .admitted
        }
        // Not if the newcomer's owner would then have more.
        let most = counts.values.max() ?? 0
        guard most > own + 1, let index = entries.lastIndex(where: { counts[$0.owner] == most }) else {
            return .tooMany
        }
        let replaced = entries.remove(at: index).reader
        entries.append((reader, owner))
        return .replaces(replaced)
    }

    /// Removes a reader. Returns whether it was there.
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
