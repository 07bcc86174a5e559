internal import Glibc

/// A string that is compared, ordered and hashed as its UTF-8 bytes, as JSON, paths and SQLite compare names.
///
/// Swift's `String` compares by canonical equivalence (Unicode Standard Annex #15), which is wrong for a name that
/// somebody else chose. Attacks:
/// * Two names that are one to Swift and two to the file system, such as `café` with a composed and with a combining
///   accent, share what was granted to one of them.
/// * A name of many combining marks is sorted anew each time that it is hashed or compared: 60 kB take seconds.
public struct BytewiseString: Sendable {
    /// The string itself.
    public let text: String

    /// The same text; what is not stored as UTF-8 is converted.
    public init(_ text: String) {
        var text = text
        text.makeContiguousUTF8()
        self.text = text
    }

    /// Calls `body` with the bytes. The string is contiguous: ``init(_:)`` has seen to it.
    private func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        text.utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }!
    }
}

extension BytewiseString: Hashable {
    /// Returns whether both have the same bytes.
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
    /// Returns whether the bytes of `a` come before those of `b`.
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
    /// The literal's text.
    public init(stringLiteral value: String) { self.init(value) }
    /// The string itself.
    public var description: String { text }
}

/// Compares as many bytes as both have: less than, equal to or greater than 0, as memcmp(3).
private func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> CInt {
    let count = min(a.count, b.count)
    return count == 0 ? 0 : memcmp(a.baseAddress!, b.baseAddress!, count)
}

extension String {
    /// Returns whether both have the same UTF-8 bytes, whatever is canonically equivalent.
    public func isBytewiseEqual(to other: String) -> Bool {
        let (first, second) = (utf8.span, other.utf8.span)
        return first.count == second.count
            && first.withUnsafeBytes { first in second.withUnsafeBytes { compare(first, $0) == 0 } }
    }
}

extension StringProtocol {
    /// Returns whether both have the same UTF-8 bytes, whatever is canonically equivalent.
    public func isBytewiseEqual(to other: some StringProtocol) -> Bool {
        utf8.withContiguousStorageIfAvailable { first in
            other.utf8.withContiguousStorageIfAvailable { second in
                first.count == second.count
                    && compare(UnsafeRawBufferPointer(first), UnsafeRawBufferPointer(second)) == 0
            }
        }.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
    }

    /// The longest beginning of at most `count` UTF-8 bytes that ends between two scalars.
    public func prefix(bytes count: Int) -> String {
        guard utf8.count > count else { return String(self) }
        var bytes = Array(utf8.prefix(count + 1))
        // The next byte goes on with a scalar where it is 10xxxxxx (RFC 3629): that scalar is left out.
        while let next = bytes.popLast(), next & 0xC0 == 0x80 {}
        return String(decoding: bytes, as: UTF8.self)
    }
}
