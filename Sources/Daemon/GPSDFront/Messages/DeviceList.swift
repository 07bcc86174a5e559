internal import Bytewise
internal import JSON
internal import NIOCore

/// The present receivers, with the messages about them that are the same for all clients.
struct DeviceList {
    let devices: [ListedDevice]
    /// The TPV that reports that there is no fix.
    let noFix: ByteBuffer
    /// The report that POLL repeats while there is no fix.
    let noFixReports: EpochReports

    init(_ devices: [ListedDevice]) {
        self.devices = devices
        let noFixReports = EpochReports(position: PositionMessage(withoutFixOf: devices.first?.path))
        self.noFixReports = noFixReports
        noFix = ByteBuffer(capacity: 512) { $0.lines(noFixReports) }
    }

    /// Returns the path of the receiver with that name.
    func path(ofReceiver name: String?) -> String? {
        (devices.first { name?.isBytewiseEqual(to: $0.receiver) ?? false } ?? devices.first)?.path
    }

    /// Returns whether there is a device with that path.
    func contains(path: String) -> Bool {
        devices.contains { $0.path.isBytewiseEqual(to: path) }
    }

    /// Returns the changes since `old`: a line for each device that begins or ceases to be active.
    func changes(since old: DeviceList) -> [(path: String, line: ByteBuffer)] {
        let gone = old.devices.filter { before in
            before.activated != nil && devices.first { $0.id == before.id }?.activated == nil
        }
        let come = devices.filter { device in
            device.activated != nil && device.activated != old.devices.first { $0.id == device.id }?.activated
        }
        return gone.map { device in (device.path, ByteBuffer(line: { $0.deviceGone(path: device.path) })) }
            + come.map { device in (device.path, ByteBuffer(line: { $0.device(device) })) }
    }
}
