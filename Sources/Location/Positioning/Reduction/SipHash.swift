/// SipHash-2-4: a keyed hash for short messages and a pseudorandom function.
///
/// Source: J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012. Without the 128-bit
/// key, its results cannot be distinguished from random numbers, even with the results of other messages at hand. So a
/// leaked result reveals neither the key nor any other result. Nothing more is needed here. Collision resistance or
/// long messages would need a cryptographic library.
package struct SipHash: Sendable {
    private let k0: UInt64
    private let k1: UInt64

    /// Creates a hash whose key is the first 16 bytes of `key`. Fewer bytes are a programming error.
    package init(key: some Collection<UInt8>) {
        precondition(key.count >= 16)
        k0 = Self.word(key.prefix(8))
        k1 = Self.word(key.dropFirst(8).prefix(8))
    }

    /// Returns a hash with its own key, derived from this key and `label`.
    ///
    /// The results of either hash reveal nothing about the results of the other, provided that no message of this hash
    /// is `label` followed by one byte.
    package func derived(label: String) -> SipHash {
        let key = (0..<2 as Range<UInt8>).map { hash(Array(label.utf8) + [$0]) }
        return SipHash(k0: key[0], k1: key[1])
    }

    private init(k0: UInt64, k1: UInt64) {
        self.k0 = k0
        self.k1 = k1
    }

    /// Returns the hash of a message.
    package func hash(_ message: some Collection<UInt8>) -> UInt64 {
        var (v0, v1) = (k0 ^ 0x736f_6d65_7073_6575, k1 ^ 0x646f_7261_6e64_6f6d)
        var (v2, v3) = (k0 ^ 0x6c79_6765_6e65_7261, k1 ^ 0x7465_6462_7974_6573)
        func round() {
            v0 &+= v1
            v1 = Self.rotate(v1, 13) ^ v0
            v0 = Self.rotate(v0, 32)
            v2 &+= v3
            v3 = Self.rotate(v3, 16) ^ v2
            v0 &+= v3
            v3 = Self.rotate(v3, 21) ^ v0
            v2 &+= v1
            v1 = Self.rotate(v1, 17) ^ v2
            v2 = Self.rotate(v2, 32)
        }
        func absorb(_ word: UInt64) {
            v3 ^= word
            round()
            round()
            v0 ^= word
        }
        var rest = message[...]
        while rest.count >= 8 {
            absorb(Self.word(rest.prefix(8)))
            rest = rest.dropFirst(8)
        }
        absorb(Self.word(rest) | UInt64(truncatingIfNeeded: message.count) << 56)
        v2 ^= 0xff
        for _ in 0..<4 { round() }
        return v0 ^ v1 ^ v2 ^ v3
    }

    /// Returns up to 8 bytes as a word, the first byte lowest.
    private static func word(_ bytes: some Collection<UInt8>) -> UInt64 {
        var word: UInt64 = 0
        for (i, byte) in bytes.enumerated() { word |= UInt64(byte) << (8 * UInt64(i)) }
        return word
    }

    private static func rotate(_ word: UInt64, _ bits: UInt64) -> UInt64 {
        word << bits | word >> (64 - bits)
    }
}
