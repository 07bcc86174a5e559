internal import Linux

/// A network that a scan of the kernel's has heard, or that the machine is connected to.
struct KernelNetwork: Equatable {
    /// The address of its access point.
    let address: [UInt8]
    /// The strength of its signal, from 0 to 1.
    let strength: Double
    /// The seconds since its last signal, sleeps included.
    let age: Double
    /// A Boolean value indicating whether the machine is connected to it.
    let isConnected: Bool
    /// A Boolean value indicating whether its owner has asked maps to leave it out.
    let isUnmapped: Bool

    /// Creates a network.
    init(address: [UInt8], strength: Double, age: Double, isConnected: Bool = false, isUnmapped: Bool = false) {
        (self.address, self.strength, self.age) = (address, strength, age)
        (self.isConnected, self.isUnmapped) = (isConnected, isUnmapped)
    }

    /// Reads an entry of the list of networks, or returns `nil` if it is malformed, or not an access point's.
    init?(_ message: GenericMessage) {
        guard message.command == NL80211.scanResults, let entry = message.attributes[type: NL80211.bss],
            let values = NetlinkAttribute.list(entry.value),
            let address = values[type: NL80211.address]?.value, address.count == 6,
            let capability = values[type: NL80211.capability]?.number(UInt16.self),
            capability & Self.infrastructure != 0, let age = values[type: NL80211.age]?.number(UInt32.self)
        else { return nil }
        self.init(
            address: Array(address), strength: Self.strength(values), age: Double(age) / 1000,
            isConnected: values[type: NL80211.status]?.number(UInt32.self) == NL80211.associated,
            isUnmapped: NetworkObject.isUnmapped(Self.name(values[type: NL80211.elements]?.value ?? [])))
    }

    /// The bit ESS of the capability: IEEE 802.11, 9.4.1.4. An ad hoc network does not have it.
    private static let infrastructure: UInt16 = 1

    /// Returns the strength from 0, at -100 dBm, to 1, at -40 dBm: NetworkManager's scale (nm-wifi-utils.c,
    /// nm_wifi_utils_level_to_quality). Some drivers state a percentage.
    private static func strength(_ values: [NetlinkAttribute]) -> Double {
        if let signal = values[type: NL80211.signal]?.number(Int32.self) {
            return min(1, max(0, (Double(signal) / 100 + 100) / 60))
        }
        return values[type: NL80211.quality]?.number(UInt8.self).map { min(1, Double($0) / 100) } ?? 0
    }

    /// Returns the network's name among its elements, or nothing if they are malformed: IEEE 802.11, 9.4.2.
    private static func name(_ elements: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = elements
        while rest.count >= 2 {
            let (id, length) = (rest[rest.startIndex], Int(rest[rest.startIndex + 1]))
            rest = rest.dropFirst(2)
            guard length <= rest.count else { return [] }
            if id == 0 { return rest.prefix(length) }
            rest = rest.dropFirst(length)
        }
        return []
    }
}
