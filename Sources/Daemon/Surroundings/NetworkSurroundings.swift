internal import Positioning

/// The surroundings as NetworkManager knows them: its objects to a report, with hashes for addresses.
struct NetworkSurroundings {
    /// The time that an access point may have been heard before the end of a scan to belong to it, in seconds. After a
    /// scan, NetworkManager keeps those that were not heard for up to 250 s.
    static let scanSeconds = 15.0
    /// The age of a scan from which it says nothing about the present, in seconds.
    static let greatestAge = 60.0

    private let hash: EmitterHash
    /// The end of the last reported scan of each device, in milliseconds since the boot.
    private var scans: [String: Int64] = [:]
    /// The paths of the wireless devices.
    private(set) var wireless: [String] = []
    /// A Boolean value indicating whether a wireless device is connected to an access point.
    private(set) var isConnected = false

    init(_ hash: EmitterHash) {
        self.hash = hash
    }

    /// Returns the report made from the objects.
    ///
    /// - Parameters:
    ///   - neighbours: The kernel's table of neighbours: proc(5), /proc/net/arp.
    ///   - boottime: The seconds since the boot, sleeps included.
    ///   - greatestAge: The greatest age of a scan, in seconds.
    mutating func report(
        _ objects: [NetworkObject], neighbours: () -> String, area: UInt64?, boottime: Double,
        greatestAge: Double = Self.greatestAge
    ) -> SurroundingsReport {
        let devices = objects.filter { $0.lastScan != nil && $0.mode == NetworkManager.infrastructure }
        let points = objects.filter { !$0.address.isEmpty && $0.mode == NetworkManager.infrastructure }
        wireless = devices.map(\.path)
        let own = Set(devices.map(\.ownAccessPoint))
        isConnected = own.contains { $0.count > 1 }
        var links = Set(
            points.filter { own.contains($0.path) && !$0.isUnmapped }.compactMap { hash.accessPoint($0.address) })
        links.formUnion(gateways(objects, neighbours))
        return SurroundingsReport(scan: scan(devices, points, boottime, greatestAge), links: links, area: area)
    }

    /// Has the last scans reported again.
    mutating func forgetScans() { scans = [:] }

    /// Returns the emitters of scans that have ended since the last report, or `nil` if there are none.
    private mutating func scan(
        _ devices: [NetworkObject], _ points: [NetworkObject], _ boottime: Double, _ greatestAge: Double
    ) -> [SurroundingsReport.Emitter]? {
        var ends: [Double] = []
        let paths = Set(devices.map(\.path))
        scans = scans.filter { paths.contains($0.key) }
        for device in devices {
            guard let end = device.lastScan, end >= 0, scans[device.path] != end else { continue }
            scans[device.path] = end
            if boottime - Double(end) / 1000 <= greatestAge { ends.append(Double(end) / 1000) }
        }
        guard let end = ends.max() else { return nil }
        return points.compactMap { point in
            guard !point.isUnmapped, Double(point.lastSeen) >= end - Self.scanSeconds else { return nil }
            return hash.accessPoint(point.address).map { .init(id: $0, strength: Double(point.strength) / 100) }
        }
    }

    /// Returns the gateways of wired connections.
    private func gateways(_ objects: [NetworkObject], _ neighbours: () -> String) -> [UInt64] {
        let wired = objects.filter { $0.type == NetworkManager.ethernet && $0.state == NetworkManager.activated }
        let interfaces = Dictionary(wired.map { ($0.addresses, $0.interface) }) { first, _ in first }
        var gateways: Set<[String]> = []
        for object in objects where !object.gateway.isEmpty {
            if let interface = interfaces[object.path] { gateways.insert([object.gateway, interface]) }
        }
        guard !gateways.isEmpty else { return [] }
        return neighbours().split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count >= 6, gateways.contains([String(fields[0]), String(fields[5])]) else { return nil }
            return hash.gateway(String(fields[3]))
        }
    }
}
