/// Where a receiver is found, as a user writes it in the configuration or on the command line.
public enum ReceiverSpecification: Sendable, Hashable {
    /// A serial port that sends NMEA 0183. The rate is in bits per second, one of `baudRates`; `nil`: it is found out.
    case serial(path: String, baudRate: Int?)
    /// The serial port of the USB device with that serial number (udev's `ID_SERIAL_SHORT`; where the maker has not numbered
    /// them, `ID_SERIAL`), whatever its node is called. The rate is as that of `serial`.
    case usb(serial: String, baudRate: Int?)
    /// A gpsd server, by name or IP address (IPv6 without brackets here).
    case gpsd(host: String, port: Int)
    /// A receiver made by software that moves along a GPX file, or along a built-in route.
    case simulated(route: String?)
    /// A recorded NMEA file, played `speed` times as fast as it was recorded.
    case replay(file: String, speed: Double)

    /// The rates of a serial port that are accepted, in bits per second.
    public static let baudRates = [4800, 9600, 19200, 38400, 57600, 115_200, 230_400, 460_800, 921_600]
    /// NMEA receivers' most common factory setting.
    public static let defaultBaudRate = 9600
    /// The server when none is given.
    public static let defaultHost = "localhost"
    /// The port that IANA assigned to gpsd.
    public static let defaultPort = 2947
    /// The speeds at which a file can be replayed.
    public static let speeds = 0.01...10_000

    /// What people call the receiver, and what `Location.receiver` holds unless it is given another name:
    /// `ttyACM0`, the serial number of a USB device, `gpsd`, `simulated`, `walk.nmea`.
    public var name: String {
        switch self {
        case .serial(let path, _), .replay(let path, _): path.split(separator: "/").last.map(String.init) ?? path
        case .usb(let serial, _): serial
        case .gpsd: "gpsd"
        case .simulated: "simulated"
        }
    }
}

extension ReceiverSpecification: CustomStringConvertible {
    /// The shortest text that `init(parsing:)` reads as this value.
    public var description: String {
        switch self {
        case .serial(let path, let baudRate):
            let rate = baudRate ?? (path.contains("@") ? Self.defaultBaudRate : nil)
            return "serial:\(path)" + (rate.map { "@\($0)" } ?? "")
        case .usb(let serial, let baudRate):
            let end = baudRate.map { "@\($0)" } ?? (serial.contains("@") ? "@" : "")
            return "usb:\(serial)\(end)"
        case .gpsd(let host, let port):
            let address = host.contains(":") ? "[\(host)]" : host
            if port != Self.defaultPort { return "gpsd:\(address):\(port)" }
            return host == Self.defaultHost ? "gpsd:" : "gpsd:\(address)"
        case .simulated(let route):
            return route.map { "simulated:\($0)" } ?? "simulated"
        case .replay(let file, let speed):
            if speed == 1, !file.contains("@") { return "replay:\(file)" }
            let whole = speed == speed.rounded() ? "\(Int(speed))" : "\(speed)"
            return "replay:\(file)@\(whole)"
        }
    }
}
