internal import Glibc
internal import NMEARelay

/// The addresses of this machine.
enum OwnAddresses {
    /// Returns the addresses of all interfaces: getifaddrs(3).
    static func all() -> Set<IPAddress> {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var addresses: Set<IPAddress> = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard let address = entry.ifa_addr, let own = IPAddress(socketAddress: address) else { continue }
            addresses.insert(own)
        }
        return addresses
    }
}
