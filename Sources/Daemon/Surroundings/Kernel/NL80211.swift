internal import Linux

/// nl80211, the kernel's interface to Wi-Fi: the commands and attributes used here, which are open to every process, as
/// are the groups. Source: linux/nl80211.h and linux/genetlink.h of Linux 6.1.
enum NL80211 {
    static let name = "nl80211"
    /// NL80211_MULTICAST_GROUP_SCAN and _MLME: ends of scans, and connections that begin and end.
    static let groups: Set<String> = ["scan", "mlme"]

    // NL80211_CMD_GET_INTERFACE, _NEW_INTERFACE, _GET_SCAN, _NEW_SCAN_RESULTS, _SCHED_SCAN_RESULTS
    static let getInterface: UInt8 = 5
    static let interface: UInt8 = 7
    static let getScan: UInt8 = 32
    static let scanResults: UInt8 = 34
    static let scheduledScanResults: UInt8 = 77
    /// NL80211_CMD_CONNECT, _ROAM and _DISCONNECT.
    static let connections: Set<UInt8> = [46, 47, 48]

    // NL80211_ATTR_IFINDEX, _IFTYPE, _BSS
    static let interfaceIndex: UInt16 = 3
    static let interfaceType: UInt16 = 5
    static let bss: UInt16 = 47
    /// NL80211_IFTYPE_STATION and _P2P_CLIENT: the interfaces that may be connected to an access point.
    static let stations: Set<UInt32> = [2, 8]
    // NL80211_BSS_BSSID, _CAPABILITY, _INFORMATION_ELEMENTS, _SIGNAL_MBM, _SIGNAL_UNSPEC, _STATUS, _SEEN_MS_AGO
    static let address: UInt16 = 1
    static let capability: UInt16 = 5
    static let elements: UInt16 = 6
    static let signal: UInt16 = 7
    static let quality: UInt16 = 8
    static let status: UInt16 = 9
    static let age: UInt16 = 10
    /// NL80211_BSS_STATUS_ASSOCIATED.
    static let associated: UInt32 = 1

    /// An event that changes the lists.
    enum Event {
        /// A scan has ended.
        case scan
        /// A connection has begun or ended, or Wi-Fi has come or gone.
        case other
    }

    /// Returns the event in a message, or `nil` if it changes nothing.
    ///
    /// - Parameter family: The id of nl80211, if it is known.
    static func event(_ message: NetlinkMessage, family: UInt16?) -> Event? {
        guard let command = GenericMessage(message)?.command else { return nil }
        if message.type == GenericMessage.control {
            return [GenericMessage.newFamily, GenericMessage.deletedFamily].contains(command) ? .other : nil
        }
        guard message.type == family else { return nil }
        if command == scanResults || command == scheduledScanResults { return .scan }
        return connections.contains(command) ? .other : nil
    }
}

/// A message of generic netlink: struct genlmsghdr of linux/genetlink.h, and attributes.
struct GenericMessage {
    // GENL_ID_CTRL, CTRL_CMD_NEWFAMILY, _DELFAMILY, _GETFAMILY
    static let control: UInt16 = 16
    static let newFamily: UInt8 = 1
    static let deletedFamily: UInt8 = 2
    static let getFamily: UInt8 = 3
    /// The group of the control's own messages, which has the control's id (net/netlink/genetlink.c).
    static let controlGroup = UInt32(control)
    /// The length of the header, in bytes.
    private static let headerLength = 4

    let command: UInt8
    let attributes: [NetlinkAttribute]

    /// Reads a message, or returns `nil` if it is malformed.
    init?(_ message: NetlinkMessage) {
        guard let command = message.contents.first, message.contents.count >= Self.headerLength,
            let attributes = NetlinkAttribute.list(message.contents.dropFirst(Self.headerLength))
        else { return nil }
        (self.command, self.attributes) = (command, attributes)
    }

    /// Returns the request for a list.
    static func request(_ command: UInt8, of family: UInt16, sequence: UInt32, interface: UInt32? = nil) -> [UInt8] {
        var contents: [UInt8] = [command, 1, 0, 0]
        if let interface {
            contents.append(native: UInt16(8))
            contents.append(native: NL80211.interfaceIndex)
            contents.append(native: interface)
        }
        return NetlinkMessage.request(
            type: family, flags: NetlinkMessage.requestsList, sequence: sequence, contents: contents)
    }
}

/// A family of generic netlink, as its control describes it.
struct GenericFamily: Equatable {
    // CTRL_ATTR_FAMILY_ID, _FAMILY_NAME, _MCAST_GROUPS; CTRL_ATTR_MCAST_GRP_NAME, _ID
    private static let id: UInt16 = 1
    private static let name: UInt16 = 2
    private static let groups: UInt16 = 7
    private static let groupName: UInt16 = 1
    private static let groupID: UInt16 = 2

    let id: UInt16
    /// The ids of its multicast groups, by their names.
    let groups: [String: UInt32]

    /// Reads the description of the family of that name, or returns `nil` if the message is about another one.
    init?(_ message: GenericMessage, named name: String) {
        let attributes = message.attributes
        guard message.command == GenericMessage.newFamily, Self.text(attributes[type: Self.name]) == name,
            let id = attributes[type: Self.id]?.number(UInt16.self)
        else { return nil }
        var groups: [String: UInt32] = [:]
        for group in attributes[type: Self.groups].flatMap({ NetlinkAttribute.list($0.value) }) ?? [] {
            guard let parts = NetlinkAttribute.list(group.value), let name = Self.text(parts[type: Self.groupName]),
                let id = parts[type: Self.groupID]?.number(UInt32.self)
            else { continue }
            groups[name] = id
        }
        (self.id, self.groups) = (id, groups)
    }

    /// Returns a text without the zero byte that ends it.
    private static func text(_ attribute: NetlinkAttribute?) -> String? {
        attribute.map { String(decoding: $0.value.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
