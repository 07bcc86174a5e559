internal import Glibc

/// A string that is compared, ordered and hashed by its UTF-8 bytes, as JSON, paths and SQLite compare names.
///
/// Swift's `String` compares by canonical equivalence (Unicode Standard Annex #15), which is wrong for a name chosen by
/// another program or user. Attacks:
/// * Two names are equal in Swift but differ in the file system, such as `café` with a composed and with a combining
///   accent. A grant for one of them would be a grant for both.
/// * A name with many combining marks is normalized each time it is hashed or compared: 60 kB take seconds.
public struct BytewiseString: Sendable {
    /// The string itself.
    public let text: String

    /// Creates a bytewise string from `text`, which is converted to native UTF-8 storage if necessary.
    public init(_ text: String) {
        var text = text
        text.makeContiguousUTF8()
        self.text = text
    }

    /// Calls `body` with the bytes. ``init(_:)`` ensures that they are contiguous.
    private func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        text.utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }!
    }
}

extension BytewiseString: Hashable {
    /// Returns whether both strings have the same bytes.
    public static func == (a: BytewiseString, b: BytewiseString) -> Bool {
        a.text.isBytewiseEqual(to: b.text)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: $0) }
        hasher.combine(0xFF as UInt8)
    }
}

extension BytewiseString: Comparable {
    /// Returns whether the bytes of `a` order before those of `b`.
    public static func < (a: BytewiseString, b: BytewiseString) -> Bool {
        a.withBytes { first in
            b.withBytes { second in
                let order = compare(first, second)
                return order != 0 ? order < 0 : first.count < second.count
            }
        }
    }
}

extension BytewiseString: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates a bytewise string from a literal.
    public init(stringLiteral value: String) { self.init(value) }
    /// The string itself.
    public var description: String { text }
}

/// Compares as many bytes as both buffers have. Returns a value less than, equal to or greater than 0, like memcmp(3).
private func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> CInt {
    let count = min(a.count, b.count)
    return count == 0 ? 0 : memcmp(a.baseAddress!, b.baseAddress!, count)
}

extension String {
    /// Returns whether both strings have the same UTF-8 bytes, regardless of canonical equivalence.
    public func isBytewiseEqual(to other: String) -> Bool {
        if words == other.words { return true }
        let (first, second) = (utf8.span, other.utf8.span)
        return first.count == second.count
            && first.withUnsafeBytes { first in second.withUnsafeBytes { compare(first, $0) == 0 } }
    }

    /// The two words of the string's representation, which strings with the same storage, such as copies, share.
    private var words: (UInt, UInt) { unsafeBitCast(self, to: (UInt, UInt).self) }
}

extension StringProtocol {
    /// Returns whether both strings have the same UTF-8 bytes, regardless of canonical equivalence.
    public func isBytewiseEqual(to other: some StringProtocol) -> Bool {
        utf8.withContiguousStorageIfAvailable { first in
            other.utf8.withContiguousStorageIfAvailable { second in
                first.count == second.count
                    && compare(UnsafeRawBufferPointer(first), UnsafeRawBufferPointer(second)) == 0
            }
        }.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
    }

    /// Returns the longest prefix of at most `count` UTF-8 bytes that does not split a scalar.
    public func prefix(bytes count: Int) -> String {
        guard utf8.count > count else { return String(self) }
        var bytes = Array(utf8.prefix(count + 1))
        // If the next byte is 10xxxxxx (RFC 3629), it continues a scalar, and that scalar is left out.
        while let next = bytes.popLast(), next & 0xC0 == 0x80 {}
        return String(decoding: bytes, as: UTF8.self)
    }
}
