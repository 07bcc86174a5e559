/// A message of chrony's SOCK reference clock, as chronyd 4.3 reads it on a 64-bit machine: refclock_sock.c.
struct SockSample: Equatable {
    var seconds: Int64
    var microseconds: Int64
    var offset: Double
    var pulse: Int32
    var leap: Int32
    var magic: Int32

    /// Parses a datagram, or returns `nil` if it does not have the message's size.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 40 else { return nil }
        (seconds, microseconds, offset, pulse, leap, magic) = bytes.withUnsafeBytes {
            (
                $0.loadUnaligned(fromByteOffset: 0, as: Int64.self),
                $0.loadUnaligned(fromByteOffset: 8, as: Int64.self),
                $0.loadUnaligned(fromByteOffset: 16, as: Double.self),
                $0.loadUnaligned(fromByteOffset: 24, as: Int32.self),
                $0.loadUnaligned(fromByteOffset: 28, as: Int32.self),
                $0.loadUnaligned(fromByteOffset: 36, as: Int32.self)
            )
        }
    }
}
