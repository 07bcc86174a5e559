/// Messages as the kernel builds them: struct nlmsghdr and struct nlattr of linux/netlink.h, struct genlmsghdr of
/// linux/genetlink.h, and the commands and attributes of linux/nl80211.h and linux/genetlink.h of Linux 6.1. Their
/// numbers are written out here: the sources' own are what is tested.
enum KernelMessages {
    static let family: UInt16 = 33
    static let sequence: UInt32 = 9
    static let port: UInt32 = 4711

    /// Returns a number in the byte order of the machine.
    static func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

    static func join(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }

    static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
        return join(bytes(UInt16(4 + value.count)), bytes(type), value, padding)
    }

    static func attribute(_ type: UInt16, _ number: some FixedWidthInteger) -> [UInt8] {
        attribute(type, bytes(number))
    }

    /// Returns a message with any contents.
    static func message(
        _ type: UInt16, _ contents: [UInt8], sequence: UInt32 = sequence, port: UInt32 = port
    ) -> [UInt8] {
        join(
            bytes(UInt32(16 + contents.count)), bytes(type), bytes(UInt16(2)), bytes(sequence), bytes(port), contents)
    }

    /// Returns a message of generic netlink.
    static func generic(_ command: UInt8, _ attributes: [UInt8], of family: UInt16 = family) -> [UInt8] {
        message(family, [command, 1, 0, 0] + attributes)
    }

    /// Returns a text with the zero byte that ends it.
    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

    /// NLMSG_DONE, with the status of the list.
    static func done(_ status: Int32 = 0) -> [UInt8] { message(3, bytes(status)) }

    /// CTRL_CMD_NEWFAMILY: the name, the id, and the groups (CTRL_ATTR_MCAST_GROUPS) with their names and ids.
    static func description(_ name: String, id: UInt16, groups: [(String, UInt32)]) -> [UInt8] {
        var list: [UInt8] = []
        for (index, group) in groups.enumerated() {
            list += attribute(UInt16(index + 1), join(attribute(2, group.1), attribute(1, text(group.0))))
        }
        return generic(1, join(attribute(2, text(name)), attribute(1, id), attribute(0x8007, list)), of: 16)
    }

    /// NL80211_CMD_NEW_INTERFACE: NL80211_ATTR_IFINDEX, _IFNAME and _IFTYPE.
    static func interface(_ index: UInt32, type: UInt32) -> [UInt8] {
        generic(7, join(attribute(3, index), attribute(4, text("wlan0")), attribute(5, type)))
    }

    /// The entry of a network: NL80211_CMD_NEW_SCAN_RESULTS with NL80211_ATTR_BSS, in the order of nl80211_send_bss in
    /// net/wireless/nl80211.c.
    ///
    /// - Parameters:
    ///   - signal: The attribute with the strength.
    ///   - age: Milliseconds.
    static func network(
        _ address: [UInt8], signal: [UInt8] = attribute(7, Int32(-7000)), age: UInt32 = 300, status: UInt32? = nil,
        capability: UInt16 = 0x0431, elements: [UInt8] = name("Attic")
    ) -> [UInt8] {
        let entry = join(
            attribute(1, address), attribute(3, UInt64(1_000_000)), attribute(6, elements), attribute(4, UInt16(100)),
            attribute(5, capability), attribute(2, UInt32(2412)), attribute(12, UInt32(1)), attribute(10, age), signal,
            status.map { attribute(9, $0) } ?? [])
        return generic(34, join(attribute(46, UInt32(5)), attribute(3, UInt32(3)), attribute(0x802F, entry)))
    }

    /// The elements of a beacon: the name, and the rates.
    static func name(_ name: String) -> [UInt8] {
        join([0, UInt8(name.utf8.count)], Array(name.utf8), [1, 4, 0x82, 0x84, 0x8B, 0x96])
    }
}
