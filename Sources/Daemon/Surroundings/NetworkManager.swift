internal import Bus

/// NetworkManager on the system bus: the names of its API, and the values that are used here. Source: its
/// introspection files, and nm-device-wifi.c of 1.42.
enum NetworkManager {
    static let service = "org.freedesktop.NetworkManager"
    /// The path of its object manager.
    static let path = "/org/freedesktop"
    static let device = service + ".Device"
    static let wireless = device + ".Wireless"
    static let accessPoint = service + ".AccessPoint"
    static let addresses = service + ".IP4Config"
    static let activeConnection = service + ".Connection.Active"
    /// NM_DEVICE_TYPE_ETHERNET and NM_DEVICE_STATE_ACTIVATED.
    static let ethernet: UInt32 = 1
    static let activated: UInt32 = 100
    /// NM_802_11_MODE_INFRA: of an access point, and of a device that is not one itself.
    static let infrastructure: UInt32 = 2
}

/// An object of NetworkManager, with the properties of all its interfaces that are used here.
struct NetworkObject: Equatable {
    let path: String
    // A device
    var type: UInt32 = 0
    var state: UInt32 = 0
    var addresses = ""
    /// The name of its network interface.
    var interface = ""
    /// The end of the last scan in milliseconds since the boot, or `nil` for a device that does not scan.
    var lastScan: Int64?
    var ownAccessPoint = ""
    // A device or an access point
    var mode: UInt32 = 0
    // An access point
    var address = ""
    var strength: UInt8 = 0
    /// The time of its last signal in seconds since the boot.
    var lastSeen: Int32 = -1
    /// A Boolean value indicating whether its owner has asked maps to leave it out.
    var isUnmapped = false
    // Addresses
    var gateway = ""

    init(path: String) { self.path = path }

    /// The greatest number of objects that are read. With more of them, the surroundings are not known.
    ///
    /// Attack: a program nearby announces thousands of access points, so that reading them delays others' fixes.
    static let maximumCount = 1024
    /// Returns whether a signal of NetworkManager says that a scan or a connection has begun or ended. Most others are
    /// about its checks of the internet, addresses, and the speed of connections.
    static func isRelevant(_ signal: BusMessage) -> Bool {
        guard signal.member == "PropertiesChanged" else {
            return signal.interface == NetworkManager.wireless
        }
        let names: Set<String> =
            switch signal.readString() {
            case NetworkManager.wireless: ["LastScan", "ActiveAccessPoint"]
            case NetworkManager.activeConnection: ["State", "SpecificObject"]
            case NetworkManager.service: ["ActiveConnections"]
            default: []
            }
        var isRelevant = false
        signal.readProperties {
            if names.contains($0) { isRelevant = true }
            return false
        }
        return isRelevant
    }

    /// The end of the name of a network whose owner has asked maps to leave it out. Here nothing leaves the machine,
    /// but it costs nothing to honour that.
    private static let unmapped = Array("_nomap".utf8)

    /// Returns whether the owner of the network of that name has asked maps to leave it out.
    static func isUnmapped(_ name: some BidirectionalCollection<UInt8>) -> Bool {
        name.suffix(unmapped.count).elementsEqual(unmapped)
    }

    /// Returns the objects in a reply of GetManagedObjects, or `nil` if it cannot be read.
    static func list(_ reply: BusMessage) -> [NetworkObject]? {
        reply.readObjects(upTo: maximumCount, NetworkObject.init(path:)) { object, interface, property in
            object.read(property, of: interface, from: reply)
        }
    }

    private mutating func read(_ property: String, of interface: String, from reply: BusMessage) -> Bool {
        func number() -> UInt32 { reply.readVariant { _ in reply.readUInt32() } ?? 0 }
        func path() -> String { reply.readVariant { _ in reply.readString("o") } ?? "" }
        func text() -> String { reply.readVariant { _ in reply.readString() } ?? "" }
        switch (interface, property) {
        case (NetworkManager.device, "DeviceType"): type = number()
        case (NetworkManager.device, "State"): state = number()
        case (NetworkManager.device, "Ip4Config"): addresses = path()
        case (NetworkManager.device, "Interface"): self.interface = text()
        case (NetworkManager.wireless, "LastScan"): lastScan = reply.readVariant { _ in reply.readInt64() }
        case (NetworkManager.wireless, "ActiveAccessPoint"): ownAccessPoint = path()
        case (NetworkManager.wireless, "Mode"), (NetworkManager.accessPoint, "Mode"): mode = number()
        case (NetworkManager.accessPoint, "HwAddress"): address = text()
        case (NetworkManager.accessPoint, "Strength"): strength = reply.readVariant { _ in reply.readByte() } ?? 0
        case (NetworkManager.accessPoint, "LastSeen"):
            lastSeen = reply.readVariant { _ in reply.readInt32() } ?? -1
        case (NetworkManager.accessPoint, "Ssid"):
            let name = reply.readVariant { _ in reply.readBytes() } ?? []
            isUnmapped = Self.isUnmapped(name)
        case (NetworkManager.addresses, "Gateway"): gateway = text()
        default: return false
        }
        return true
    }
}
