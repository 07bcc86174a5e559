/// The frames that wait for a receiver. A newer message takes the place of an older one of its number, so that a slow
/// line carries few old corrections.
///
/// Several frames with measurements of one constellation and one moment stay together, and orbits are told apart by
/// their satellite. At most 64 frames wait, which are 66 kB.
package struct CorrectionQueue: Sendable {
    /// The maximum number of frames. If another one arrives, the oldest is dropped.
    package static let capacity = 64

    private struct Waiting: Sendable {
        let frame: RTCMFrame
        let bytes: [UInt8]
    }

    private var waiting: [Waiting] = []
    /// The number of frames that were dropped.
    package private(set) var dropped = 0

    package init() { waiting.reserveCapacity(Self.capacity) }

    package var isEmpty: Bool { waiting.isEmpty }

    /// Adds a frame, unless it must not reach a receiver. Returns whether it was added.
    package mutating func append(_ frame: RTCMFrame, _ bytes: Span<UInt8>) -> Bool {
        guard frame.mayReachReceiver(bytes) else { return false }
        let former = waiting.count
        waiting.removeAll { $0.frame.isReplaced(by: frame) }
        if waiting.count == Self.capacity { waiting.removeFirst() }
        dropped += former - waiting.count
        waiting.append(Waiting(frame: frame, bytes: Array(bytes)))
        return true
    }

    /// Removes and returns the oldest frame, if it has at most `limit` bytes.
    package mutating func removeFirst(atMost limit: Int = .max) -> [UInt8]? {
        guard let first = waiting.first, first.bytes.count <= limit else { return nil }
        waiting.removeFirst()
        return first.bytes
    }

    /// Drops all frames.
    package mutating func removeAll() { waiting.removeAll(keepingCapacity: true) }
}

extension RTCMFrame {
    /// Returns whether a frame with these bytes may be written to a receiver.
    package func mayReachReceiver(_ bytes: Span<UInt8>) -> Bool {
        kind != nil && !EmbeddedCommand.isPresent(in: bytes)
    }

    fileprivate func isReplaced(by newer: RTCMFrame) -> Bool {
        guard number == newer.number else { return false }
        switch (kind, newer.kind) {
        case (.observations(let time), .observations(let newerTime)): return time != newerTime
        case (.ephemeris(let satellite), .ephemeris(let newerSatellite)): return satellite == newerSatellite
        default: return true
        }
    }
}

extension Array where Element == UInt8 {
    fileprivate init(_ bytes: Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { Array($0) }
    }
}
