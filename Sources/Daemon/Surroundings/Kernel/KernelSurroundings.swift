internal import Positioning

/// The surroundings as the kernel knows them: its networks to a report, with hashes for addresses.
///
/// Times are in seconds of one clock.
struct KernelSurroundings {
    private let hash: EmitterHash
    /// The end of the last scan since the last list was asked for, and the end of the one before it that no report has.
    private var lastScan: Double?
    private var listedScan: Double?
    private var isFirst = true

    init(_ hash: EmitterHash) {
        self.hash = hash
    }

    /// Handles the end of a scan.
    mutating func scanEnded(at now: Double) { lastScan = now }

    /// Handles that a list is asked for: it has the scans that have ended.
    mutating func willList() {
        listedScan = lastScan ?? listedScan
        lastScan = nil
    }

    /// Forgets the scans: the next list is the first one.
    mutating func forget() { (lastScan, listedScan, isFirst) = (nil, nil, true) }

    /// Returns the report made from a list.
    mutating func report(_ networks: [KernelNetwork], at now: Double) -> SurroundingsReport {
        defer { (listedScan, isFirst) = (nil, false) }
        let links = networks.lazy.filter { $0.isConnected && !$0.isUnmapped }.compactMap { [hash] in
            hash.accessPoint($0.address)
        }
        return SurroundingsReport(scan: scan(networks, at: now), links: Set(links))
    }

    /// Returns the emitters of scans that have ended since the last report, or `nil` if there are none.
    private func scan(_ networks: [KernelNetwork], at now: Double) -> [SurroundingsReport.Emitter]? {
        guard let age = listedScan.map({ now - $0 }) ?? ageOfUnknownScan(networks),
            age <= NetworkSurroundings.greatestAge
        else { return nil }
        return networks.compactMap { network in
            guard !network.isUnmapped, network.age <= age + NetworkSurroundings.scanSeconds else { return nil }
            return hash.accessPoint(network.address).map { .init(id: $0, strength: network.strength) }
        }
    }

    /// Returns the age of a scan from before the first list. The kernel keeps what a scan has heard for 30 s
    /// (net/wireless/scan.c, IEEE80211_SCAN_RESULT_EXPIRE), and the network of a connection without one.
    private func ageOfUnknownScan(_ networks: [KernelNetwork]) -> Double? {
        isFirst ? networks.lazy.filter { !$0.isConnected }.map(\.age).min() : nil
    }
}
