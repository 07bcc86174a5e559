internal import Devices
internal import LocationCore
internal import LocationModel
internal import Receivers

/// The receivers as devices, with the time since which each has been active. Confined to the event loop.
final class ReceiverDevices {
    private(set) var list = DeviceList([])
    private let receivers: ReceiverControl
    private let clock: () -> Timestamp
    /// The time when each receiver began to produce fixes, by its number.
    private var activated: [Int: Timestamp] = [:]

    /// Creates the list.
    init(_ receivers: ReceiverControl, clock: @escaping () -> Timestamp) {
        self.receivers = receivers
        self.clock = clock
        update()
    }

    /// Updates the list after a change of the receivers.
    func update() {
        let active = Set(receivers.members.filter { $0.receiver.state == .running }.map(\.id))
        activated = activated.filter { active.contains($0.key) }
        for id in active where activated[id] == nil { activated[id] = clock() }
        list = DeviceList(
            receivers.members.compactMap { member in
                ListedDevice(member.receiver, id: member.id, activated: activated[member.id])
            })
    }
}

extension ListedDevice {
    /// The maximum length of a path, in bytes: libgps reads up to 127.
    private static let maximumPathLength = 127

    /// Creates the device of a receiver, or `nil` if it is unplugged.
    fileprivate init?(_ receiver: Receiver, id: Int, activated: Timestamp?) {
        self.id = id
        self.receiver = receiver.name
        self.activated = activated
        guard let path = Self.path(of: receiver) else { return nil }
        self.path = path
        if case .gpsd = receiver.specification { driver = nil } else { driver = "NMEA0183" }
        port = receiver.status.serialSettings.map { Port($0) }
    }

    private static func path(of receiver: Receiver) -> String? {
        if case .usb = receiver.specification, receiver.port == nil { return nil }
        let path = receiver.port?.node ?? "locationd:\(receiver.name)"
        return String(decoding: path.utf8.prefix(maximumPathLength), as: UTF8.self)
    }
}

extension ListedDevice.Port {
    fileprivate init(_ settings: SerialSettings) {
        bitsPerSecond = settings.bitsPerSecond
        switch settings.framing {
        case .eightN1: (parity, stopBits) = ("N", 1)
        case .sevenN2: (parity, stopBits) = ("N", 2)
        case .eightE1: (parity, stopBits) = ("E", 1)
        }
    }
}
