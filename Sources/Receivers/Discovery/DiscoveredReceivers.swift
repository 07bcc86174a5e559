/// The receivers that were plugged in since the daemon started, each one the same wherever it is plugged in.
///
/// A device is known by its serial number, or model, and interface, whatever its node is called. Where two have the same, it
/// is known by its place too, so that each of the two stays the same while both stay where they are.
public struct DiscoveredReceivers: Sendable {
    /// A receiver that is plugged in, or was.
    public struct Entry: Sendable, Hashable, Identifiable {
        /// Never another one's.
        public let id: Int
        /// What it can be remembered by over restarts. No two entries have the same.
        public let key: String
        /// What people call it: its product, with a number from the second of these on.
        public let name: String
        /// As it is plugged in now, or was last.
        public fileprivate(set) var device: Device
        /// A Boolean value indicating whether it is plugged in.
        public fileprivate(set) var isPresent = true
    }

    /// What has become of one.
    public enum Change: Sendable, Hashable {
        /// It was plugged in, for the first time or again.
        case came(Entry)
        /// It was unplugged.
        case went(Entry)
        /// It is at another node or place than before, or is described otherwise.
        case changed(Entry)
        /// It was unplugged a long time ago, and is not known any more.
        case forgotten(Entry)
    }

    /// How many are remembered that are not plugged in.
    public static let rememberedAbsent = 16

    /// In the order in which they came first.
    public private(set) var entries: [Entry] = []
    private var nextID = 0
    /// Those that are not plugged in, the one that went first to begin with.
    private var absent: [Int] = []

    /// None is known.
    public init() {}

    /// Takes in what is plugged in now.
    ///
    /// - Returns: what is not as it was, those that went first.
    public mutating func update(_ seen: [Device]) -> [Change] {
        var changes: [Change] = []
        let owners = owners(of: seen)
        for index in entries.indices where entries[index].isPresent && !owners.contains(index) {
            entries[index].isPresent = false
            absent.append(entries[index].id)
            changes.append(.went(entries[index]))
        }
        for (device, owner) in zip(seen, owners) {
            guard let owner else {
                entries.append(makeEntry(device))
                changes.append(.came(entries[entries.endIndex - 1]))
                continue
            }
            let before = entries[owner]
            entries[owner].device = device
            entries[owner].isPresent = true
            if !before.isPresent {
                absent.removeAll { $0 == before.id }
                changes.append(.came(entries[owner]))
            } else if before.device != device {
                changes.append(.changed(entries[owner]))
            }
        }
        return changes + forgetOldest()
    }

    /// Which entry each of these devices is, by its index; `nil` for a new one.
    private func owners(of seen: [Device]) -> [Int?] {
        var owners = [Int?](repeating: nil, count: seen.count)
        var taken: Set<Int> = []
        // Those that are where they were, before one that has moved takes their entry.
        for isInPlace in [true, false] {
            for (position, device) in seen.enumerated() where owners[position] == nil {
                owners[position] = entries.indices.first { index in
                    let known = entries[index].device
                    return !taken.contains(index) && known.identity == device.identity
                        && (known.path == device.path || !isInPlace)
                }
                if let owner = owners[position] { taken.insert(owner) }
            }
        }
        return owners
    }

    private mutating func makeEntry(_ device: Device) -> Entry {
        defer { nextID += 1 }
        let keys = Set(entries.map(\.key))
        let names = Set(entries.map(\.name))
        var (name, number) = (device.product, 1)
        while names.contains(name) {
            number += 1
            name = "\(device.product) \(number)"
        }
        var key = device.identity
        if keys.contains(key) { key += "@" + device.path }
        // One that was at its place has moved away.
        if keys.contains(key) { key += "#\(nextID)" }
        return Entry(id: nextID, key: key, name: name, device: device)
    }

    private mutating func forgetOldest() -> [Change] {
        var changes: [Change] = []
        while absent.count > Self.rememberedAbsent {
            let id = absent.removeFirst()
            guard let index = entries.firstIndex(where: { $0.id == id }) else { continue }
            changes.append(.forgotten(entries.remove(at: index)))
        }
        return changes
    }
}
