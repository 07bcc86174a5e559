public import Devices

/// The receivers that were plugged in since the daemon started. Each keeps its identity wherever it is plugged in.
///
/// A device is identified by its serial number or model, and its interface, regardless of its node. If two devices
/// share these, their place identifies them too, so that each keeps its identity while both stay where they are.
public struct DiscoveredReceivers: Sendable {
    /// A receiver that is or was plugged in.
    public struct Entry: Sendable, Hashable, Identifiable {
        /// An identifier that is never used again for another receiver.
        public let id: Int
        /// A key for storage that outlasts restarts, unique among the entries.
        public let key: String
        /// The display name: the product, with a number from the second receiver of that name on.
        public let name: String
        /// The device as it is plugged in now, or was last.
        public fileprivate(set) var device: Device
        /// A Boolean value indicating whether the receiver is plugged in.
        public fileprivate(set) var isPresent = true
    }

    /// A change to a receiver.
    public enum Change: Sendable, Hashable {
        /// The receiver was plugged in, for the first time or again.
        case pluggedIn(Entry)
        /// The receiver was unplugged.
        case unplugged(Entry)
        /// The receiver is at another node or place than before, or its description has changed.
        case changed(Entry)
        /// The receiver was unplugged so long ago that its entry was removed.
        case forgotten(Entry)
    }

    /// The maximum number of unplugged receivers that are remembered.
    public static let rememberedAbsent = 16

    /// The receivers, in the order they first appeared.
    public private(set) var entries: [Entry] = []
    private var nextID = 0
    /// The IDs of the unplugged receivers, the longest absent first.
    private var absent: [Int] = []

    /// Creates an empty list.
    public init() {}

    /// Updates the list from the devices that are plugged in now.
    ///
    /// - Returns: The changes, with unplugged receivers first.
    public mutating func update(_ seen: [Device]) -> [Change] {
        var changes: [Change] = []
        let owners = owners(of: seen)
        for index in entries.indices where entries[index].isPresent && !owners.contains(index) {
            entries[index].isPresent = false
            absent.append(entries[index].id)
            changes.append(.unplugged(entries[index]))
        }
        for (device, owner) in zip(seen, owners) {
            guard let owner else {
                entries.append(makeEntry(device))
                changes.append(.pluggedIn(entries[entries.endIndex - 1]))
                continue
            }
            let before = entries[owner]
            entries[owner].device = device
            entries[owner].isPresent = true
            if !before.isPresent {
                absent.removeAll { $0 == before.id }
                changes.append(.pluggedIn(entries[owner]))
            } else if before.device != device {
                changes.append(.changed(entries[owner]))
            }
        }
        return changes + forgetOldest()
    }

    /// Returns the index of the entry of each device, or `nil` for a new one.
    private func owners(of seen: [Device]) -> [Int?] {
        var owners = [Int?](repeating: nil, count: seen.count)
        var taken: Set<Int> = []
        // Devices at the same place as before come first, so that a device that has moved does not claim their entry.
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
        // The device that used to be at this place is at another one now.
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
