/// A message of netlink(7): struct nlmsghdr of linux/netlink.h, and its contents.
///
/// Numbers are in the byte order of the machine.
package struct NetlinkMessage {
    /// The length of the header, in bytes.
    package static let headerLength = 16
    /// NLMSG_ERROR and NLMSG_DONE.
    package static let error: UInt16 = 2
    package static let done: UInt16 = 3
    /// NLM_F_REQUEST with NLM_F_DUMP: a request for a list.
    package static let requestsList: UInt16 = 0x301

    /// The kind of the contents: one of the above, or the id of a family of generic netlink.
    package let type: UInt16
    /// The number of the request that it answers.
    package let sequence: UInt32
    /// The address of the socket that has sent this request, or 0.
    package let port: UInt32
    /// The contents, without padding.
    package let contents: ArraySlice<UInt8>

    /// Returns the messages that have arrived together, or `nil` if they are malformed.
    package static func list(_ bytes: [UInt8]) -> [NetlinkMessage]? {
        var messages: [NetlinkMessage] = []
        var rest = bytes[...]
        while rest.count >= headerLength {
            let start = rest.startIndex
            let length = Int(rest.native(UInt32.self, at: start))
            guard headerLength...rest.count ~= length else { return nil }
            messages.append(
                NetlinkMessage(
                    type: rest.native(UInt16.self, at: start + 4), sequence: rest.native(UInt32.self, at: start + 8),
                    port: rest.native(UInt32.self, at: start + 12),
                    contents: rest.prefix(length).dropFirst(headerLength)))
            rest = rest.dropFirst((length + 3) & ~3)
        }
        return rest.isEmpty ? messages : nil
    }

    /// Returns the bytes of a request.
    package static func request(
        type: UInt16, flags: UInt16, sequence: UInt32, contents: [UInt8]
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(native: UInt32(headerLength + contents.count))
        bytes.append(native: type)
        bytes.append(native: flags)
        bytes.append(native: sequence)
        bytes.append(native: UInt32(0))
        return bytes + contents
    }
}

/// An attribute of a message: struct nlattr of linux/netlink.h, which struct rtattr of rtnetlink(7) equals.
package struct NetlinkAttribute {
    /// The length of the header, in bytes.
    private static let headerLength = 4
    /// NLA_TYPE_MASK: without the flags.
    private static let typeMask: UInt16 = 0x3FFF

    package let type: UInt16
    /// The value, without padding.
    package let value: ArraySlice<UInt8>

    /// Returns the attributes in the contents of a message or of an attribute, or `nil` if they are malformed. The last
    /// one may lack its padding.
    package static func list(_ bytes: ArraySlice<UInt8>) -> [NetlinkAttribute]? {
        var attributes: [NetlinkAttribute] = []
        var rest = bytes
        while rest.count >= headerLength {
            let start = rest.startIndex
            let length = Int(rest.native(UInt16.self, at: start))
            guard headerLength...rest.count ~= length else { return nil }
            attributes.append(
                NetlinkAttribute(
                    type: rest.native(UInt16.self, at: start + 2) & typeMask,
                    value: rest.prefix(length).dropFirst(headerLength)))
            rest = rest.dropFirst((length + 3) & ~3)
        }
        return rest.isEmpty ? attributes : nil
    }

    /// Returns the value as a number, or `nil` if it has another length.
    package func number<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        value.count == MemoryLayout<Number>.size ? value.native(Number.self, at: value.startIndex) : nil
    }
}

extension [NetlinkAttribute] {
    /// Returns the first attribute of that type.
    package subscript(type type: UInt16) -> NetlinkAttribute? { first { $0.type == type } }
}

extension [UInt8] {
    /// Appends a number in the byte order of the machine.
    package mutating func append<Number: FixedWidthInteger>(native number: Number) {
        Swift.withUnsafeBytes(of: number) { append(contentsOf: $0) }
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// Returns the number at a position, in the byte order of the machine. All of its bytes must exist.
    package func native<Number: FixedWidthInteger>(_: Number.Type, at index: Int) -> Number {
        let size = MemoryLayout<Number>.size
        return (0..<size).reduce(Number.zero) { number, offset in
            number | Number(truncatingIfNeeded: self[index + offset]) << Number(offset * 8)
        }.littleEndian
    }
}
