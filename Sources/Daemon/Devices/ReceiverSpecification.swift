/// The source of a receiver's data, as a user writes it in the configuration or on the command line.
public enum ReceiverSpecification: Sendable, Hashable {
    /// A serial port that sends NMEA 0183. The rate is one of `baudRates` in bits per second, or `nil` to detect it.
    case serial(path: String, baudRate: Int?)
    /// The serial port of the USB device with this serial number, regardless of its node. The number is udev's
    /// `ID_SERIAL_SHORT`, or `ID_SERIAL` for devices that the manufacturer did not number. The rate is as for `serial`.
    case usb(serial: String, baudRate: Int?)
    /// A gpsd server, by name or IP address (IPv6 without brackets here).
    case gpsd(host: String, port: Int)
    /// The Unix stream socket of a program that passes on a receiver's data, by its absolute path.
    case socket(path: String)
    /// The receiver in a modem, through ModemManager: the modem's IMEI, its path on the system bus or in sysfs, or
    /// `nil` for any modem that has one.
    case modem(String?)
    /// A Bluetooth device that sends NMEA 0183, through BlueZ: its address, such as `10:C6:FC:12:34:56`.
    case bluetooth(address: String)
    /// No receiver: the place of a machine that does not move.
    case fixed(FixedPlace)
    /// A receiver simulated in software that moves along a GPX file, or along a built-in route if `nil`.
    case simulated(route: String?)
    /// A recorded NMEA file, played back `speed` times as fast as it was recorded.
    case replay(file: String, speed: Double)

    /// The supported baud rates of a serial port, in bits per second.
    public static let baudRates = [4800, 9600, 19200, 38400, 57600, 115_200, 230_400, 460_800, 921_600]
    /// The most common factory setting of NMEA receivers, in bits per second.
    public static let defaultBaudRate = 9600
    /// The default host of gpsd.
    public static let defaultHost = "localhost"
    /// The port that IANA assigned to gpsd.
    public static let defaultPort = 2947
    /// The range of replay speeds, relative to the recording.
    public static let speeds = 0.01...10_000

    /// A Boolean value indicating whether this is a fixed place rather than a receiver.
    public var isFixedPlace: Bool { if case .fixed = self { true } else { false } }

    /// The same receiver without its baud rate, or at the speed of its recording.
    public var withoutRate: ReceiverSpecification {
        switch self {
        case .serial(let path, _): .serial(path: path, baudRate: nil)
        case .usb(let serial, _): .usb(serial: serial, baudRate: nil)
        case .replay(let file, _): .replay(file: file, speed: 1)
        case .gpsd, .socket, .modem, .bluetooth, .fixed, .simulated: self
        }
    }

    /// The file that is played back, or `nil` for receivers that do not read one.
    public var file: String? {
        switch self {
        case .replay(let file, _): file
        case .simulated(let route): route
        case .serial, .usb, .gpsd, .socket, .modem, .bluetooth, .fixed: nil
        }
    }

    /// The display name, which `Location.receiver` holds unless the receiver is given another one: `ttyACM0`, the
    /// serial number of a USB device, `gpsd`, `gnss-share.sock`, `modem`, `bluetooth`, `fixed`, `simulated`,
    /// `walk.nmea`.
    public var name: String {
        switch self {
        case .serial(let path, _), .socket(let path), .replay(let path, _):
            path.split(separator: "/").last.map(String.init) ?? path
        case .usb(let serial, _): serial
        case .gpsd: "gpsd"
        // An IMEI is left out: apps could recognize the machine by it.
        case .modem: "modem"
        // So is an address.
        case .bluetooth: "bluetooth"
        case .fixed: "fixed"
        case .simulated: "simulated"
        }
    }
}

extension ReceiverSpecification: CustomStringConvertible {
    /// The shortest text that `init(parsing:)` parses into this value.
    public var description: String {
        switch self {
        case .serial(let path, let baudRate):
            let end = baudRate.map { "@\($0)" } ?? (path.contains("@") ? "@" : "")
            return "serial:\(path)\(end)"
        case .usb(let serial, let baudRate):
            let end = baudRate.map { "@\($0)" } ?? (serial.contains("@") ? "@" : "")
            return "usb:\(serial)\(end)"
        case .gpsd(let host, let port):
            let address = host.contains(":") ? "[\(host)]" : host
            if port != Self.defaultPort { return "gpsd:\(address):\(port)" }
            return host == Self.defaultHost ? "gpsd:" : "gpsd:\(address)"
        case .socket(let path):
            return "socket:\(path)"
        case .modem(let modem):
            return "modem:\(modem ?? "")"
        case .bluetooth(let address):
            return "bluetooth:\(address)"
        case .fixed(let place):
            return "fixed:\(place)"
        case .simulated(let route):
            return route.map { "simulated:\($0)" } ?? "simulated"
        case .replay(let file, let speed):
            if speed == 1, !file.contains("@") { return "replay:\(file)" }
            return "replay:\(file)@\(speed.shortText)"
        }
    }
}
