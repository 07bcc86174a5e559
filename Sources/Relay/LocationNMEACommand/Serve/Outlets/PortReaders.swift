internal import EventLoopSupport

/// The readers of a port, by owner: decides which of them are admitted.
///
/// Attack: another user's program, or another machine, connects as often as it may and reads nothing, so that the
/// intended program is turned away. So each owner may have a few readers only, and when the port is full, the owner
/// with the most readers loses one.
///
/// Attack: a program connects and closes without end, and with each connection this program asks for the location, and
/// stops asking. So each owner has a budget of new connections.
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
        /// The owner has connected too often lately.
        case tooOften
        case tooMany
    }

    /// The number of connections a second that an owner may make, besides ``connectionBurst``.
    static var connectionsPerSecond: Int { 4 }
    /// The number of connections that an owner may make at once.
    static var connectionBurst: Int { 32 }
    /// The number of owners that triggers forgetting owners who have not connected lately.
    private static var maximumRates: Int { 1024 }

    /// The maximum number of readers in total, and per owner.
    let maximumCount: Int
    let maximumPerOwner: Int

    /// The readers, the oldest first.
    private var entries: [(reader: Reader, owner: Owner)] = []
    /// The budgets of the owners who have connected lately.
    private var rates: [Owner: RateBudget] = [:]

    init(maximumCount: Int, maximumPerOwner: Int) {
        (self.maximumCount, self.maximumPerOwner) = (maximumCount, maximumPerOwner)
    }

    var all: [Reader] { entries.map(\.reader) }

    /// Decides about a reader, and adds it if admitted.
    ///
    /// - Parameter now: The time in seconds, by a monotonic clock.
    mutating func add(_ reader: Reader, of owner: Owner, at now: Double) -> Admission {
        guard spendConnection(of: owner, at: now) else { return .tooOften }
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

    /// Returns whether an owner's budget suffices for a new connection.
    private mutating func spendConnection(of owner: Owner, at now: Double) -> Bool {
        if rates.count >= Self.maximumRates, rates[owner] == nil {
            rates = rates.filter { !$0.value.isWhole(at: now) }
            // An owner of many networks only regains what they may have at once.
            if rates.count >= Self.maximumRates { rates = [:] }
        }
        let whole = RateBudget(perSecond: Double(Self.connectionsPerSecond), burst: Double(Self.connectionBurst))
        return rates[owner, default: whole].admits(1, at: now)
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
