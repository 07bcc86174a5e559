internal import Bytewise
internal import JSON
internal import LocationModel

/// A receiver, as gpsd's clients see it.
struct ListedDevice {
    /// The settings of its serial port.
    struct Port: Equatable {
        var bitsPerSecond: Int
        /// `N`, `E` or `O`.
        var parity: String
        var stopBits: Int
    }

    /// The number that identifies the receiver while it is there.
    var id: Int
    /// The name of the receiver, as in its locations.
    var receiver: String
    /// Its device node, or `locationd:NAME` if it has none.
    var path: String
    /// gpsd's driver for the receiver's protocol.
    var driver: String?
    /// The time since which it has produced fixes, or `nil` if it produces none now.
    var activated: Timestamp?
    /// Its serial port, while that is open.
    var port: Port?

    /// The device for a client that may not know when the receiver is active.
    var withoutActivity: ListedDevice {
        var device = self
        device.activated = nil
        device.port = nil
        return device
    }
}

extension ListedDevice: Equatable {
    /// Returns whether both look the same to a client, which compares bytes.
    static func == (a: ListedDevice, b: ListedDevice) -> Bool {
        a.id == b.id && a.receiver.isBytewiseEqual(to: b.receiver) && a.path.isBytewiseEqual(to: b.path)
            && a.driver == b.driver && a.activated == b.activated && a.port == b.port
    }
}

extension JSONWriter {
    /// Writes DEVICE.
    mutating func device(_ device: ListedDevice) {
        message("DEVICE") { writer in
            writer.field("path", device.path)
            writer.field("driver", device.driver)
            if let activated = device.activated {
                writer.time("activated", activated)
                // It sends positions: SEEN_GPS of gps.h.
                writer.integer("flags", 1)
            }
            guard device.activated != nil, let port = device.port else {
                // Always present, according to gpsd_json(5), and clients that check messages insist on it. Always the
                // same, since a port that is closed or not shown has no number of stop bits.
                return writer.integer("stopbits", 1)
            }
            writer.integer("native", 0)
            writer.integer("bps", port.bitsPerSecond)
            writer.field("parity", port.parity)
            writer.integer("stopbits", port.stopBits)
            writer.key("cycle")
            writer.value(1, decimals: 2)
        }
    }

    /// Writes the DEVICE message for a device that is no longer active.
    mutating func deviceGone(path: String) {
        message("DEVICE") { writer in
            writer.field("path", path)
            writer.integer("activated", 0)
        }
    }

    /// Writes DEVICES.
    mutating func devices(_ devices: [ListedDevice]) {
        message("DEVICES") { writer in
            writer.key("devices")
            writer.beginArray()
            for device in devices { writer.device(device) }
            writer.endArray()
        }
    }
}
