/// A list of emitters as bytes: 8 of each, little endian.
public struct EmitterList: Sendable {
    /// The keyed hashes of the emitters.
    public let ids: [UInt64]

    /// Creates a list.
    public init(ids: [UInt64]) { self.ids = ids }

    /// Creates a list from bytes, or returns `nil` if they are damaged.
    public init?(bytes: [UInt8]) {
        guard bytes.count.isMultiple(of: 8) else { return nil }
        ids = stride(from: 0, to: bytes.count, by: 8).map { start in
            bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// The list as bytes.
    public var bytes: [UInt8] {
        ids.flatMap { id in (0..<8).map { UInt8(truncatingIfNeeded: id >> (8 * UInt64($0))) } }
    }
}
