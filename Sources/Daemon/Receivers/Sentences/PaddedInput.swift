import NMEA

/// A copy of received bytes, followed by the padding that lets the decoder read their last sentence in place. A burst
/// usually ends with a whole sentence, and copying the burst is less work than assembling that sentence.
final class PaddedInput {
    /// The maximum number of bytes that are copied. Only recordings arrive in larger pieces.
    private static let capacity = 4096

    private let memory: UnsafeMutableRawBufferPointer

    init() {
        memory = .allocate(byteCount: Self.capacity + NMEADecoder.padding, alignment: 8)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit { memory.deallocate() }

    /// Returns the bytes and their padding, valid until the next call, or `nil` if there are too many of them.
    func padded(_ bytes: RawSpan) -> UnsafeRawBufferPointer? {
        guard bytes.byteCount <= Self.capacity else { return nil }
        bytes.withUnsafeBytes { memory.copyMemory(from: $0) }
        return UnsafeRawBufferPointer(rebasing: memory[..<(bytes.byteCount + NMEADecoder.padding)])
    }
}
