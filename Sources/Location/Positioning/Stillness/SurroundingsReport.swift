/// A report on the radio surroundings of the device, without anything that names them.
///
/// Emitters are access points, counted by router, and wired gateways. Each has a keyed hash as its id.
public struct SurroundingsReport: Sendable, Equatable {
    /// An emitter that a scan has heard.
    public struct Emitter: Sendable, Equatable {
        /// The keyed hash of the emitter's address.
        public let id: UInt64
        /// The strength of its signal, from 0 to 1.
        public let strength: Double

        /// Creates an emitter.
        public init(id: UInt64, strength: Double) {
            self.id = id
            self.strength = strength
        }
    }

    /// The greatest number of emitters in a scan. Of more, the strongest count.
    public static let maximumEmitters = 64

    /// The emitters heard in a scan that has ended since the last report, or `nil` if there was none.
    public let scan: [Emitter]?
    /// The emitters that the device is connected to: its own access point, its wired gateway.
    public let links: Set<UInt64>
    /// The keyed hash of the area of the serving cell, or `nil` if it is not known.
    public let area: UInt64?

    /// Creates a report. Of several signals of one emitter, the strongest counts.
    public init(scan: [Emitter]? = nil, links: Set<UInt64> = [], area: UInt64? = nil) {
        self.scan = scan.map { emitters in
            let strongest = Dictionary(emitters.map { ($0.id, $0.strength) }) { max($0, $1) }
            let sorted = strongest.sorted { ($0.value, $0.key) > ($1.value, $1.key) }
            return sorted.prefix(Self.maximumEmitters).map { Emitter(id: $0.key, strength: $0.value) }
        }
        self.links = links
        self.area = area
    }

    /// Returns the report without these emitters.
    package func removing(_ emitters: Set<UInt64>) -> Self {
        guard !emitters.isEmpty else { return self }
        return Self(
            scan: scan?.filter { !emitters.contains($0.id) }, links: links.subtracting(emitters), area: area)
    }

    /// The ids of all emitters in the report.
    var ids: Set<UInt64> { links.union((scan ?? []).map(\.id)) }
}
