extension ReceiverSpecification {
    /// The error for text that is not a valid specification.
    public struct ParseError: Error, Equatable, CustomStringConvertible {
        /// The problem and the valid alternatives.
        public let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// Parses `serial:/dev/ttyACM0[@9600]`, `usb:SERIAL[@9600]`, `gpsd:[HOST[:PORT]]`, `socket:PATH`, `modem:[IMEI or
    /// PATH]`, `bluetooth:ADDRESS`, `fixed:LAT,LON[,ALT][~ACCURACY]`, `simulated[:ROUTE.gpx]` or
    /// `replay:FILE.nmea[@SPEED]`.
    ///
    /// The text after the last `@` is a number. So a file whose name contains `@` needs one: `replay:a@b.nmea@1`. A
    /// path or serial number that contains `@` needs a rate or a final `@`: `serial:/dev/a@b@`, `usb:a@1@`. An IPv6
    /// address is written in brackets: `gpsd:[::1]:2947`.
    public init(parsing text: String) throws(ParseError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let argument = parts.count == 2 ? parts[1] : nil
        switch parts[0] {
        case "serial": self = try Self.serial(argument ?? "")
        case "usb": self = try Self.usb(argument ?? "")
        case "gpsd": self = try Self.gpsd(argument ?? "")
        case "socket": self = try Self.socket(argument ?? "")
        case "modem": self = try Self.modem(argument ?? "")
        case "bluetooth": self = try Self.bluetooth(argument ?? "")
        case "fixed": self = .fixed(try FixedPlace(parsing: argument ?? ""))
        case "simulated":
            guard argument != "" else {
                throw ParseError("\"simulated:\" lacks a route: write simulated or simulated:ROUTE.gpx")
            }
            self = .simulated(route: argument.map(String.init))
        case "replay": self = try Self.replay(argument ?? "")
        default:
            throw ParseError(
                """
                unknown kind of receiver "\(parts[0])": use serial:/dev/ttyACM0[@9600], usb:SERIAL[@9600], \
                gpsd:[HOST[:PORT]], socket:PATH, modem:[IMEI or PATH], bluetooth:ADDRESS, \
                fixed:LAT,LON[,ALT][~ACCURACY], simulated[:ROUTE.gpx] or replay:FILE.nmea[@SPEED]
                """)
        }
    }

    private static func serial(_ argument: Substring) throws(ParseError) -> Self {
        let (path, rate) = splitNumber(argument)
        guard path.hasPrefix("/") else {
            throw ParseError("serial port \"\(path)\" is not an absolute path: write, say, serial:/dev/ttyACM0@9600")
        }
        guard let rate, !(rate.isEmpty && path.contains("@")) else { return .serial(path: String(path), baudRate: nil) }
        return .serial(path: String(path), baudRate: try baudRate(rate))
    }

    private static func usb(_ argument: Substring) throws(ParseError) -> Self {
        let (serial, rate) = splitNumber(argument)
        guard !serial.isEmpty else {
            throw ParseError(
                """
                usb lacks a serial number: write usb:SERIAL, which `udevadm info /dev/ttyUSB0` shows as \
                ID_SERIAL_SHORT or, if there is none, ID_SERIAL
                """)
        }
        guard let rate, !rate.isEmpty else { return .usb(serial: String(serial), baudRate: nil) }
        return .usb(serial: String(serial), baudRate: try baudRate(rate))
    }

    private static func baudRate(_ text: Substring) throws(ParseError) -> Int {
        guard let baudRate = Int(text), baudRates.contains(baudRate) else {
            let allowed = baudRates.map(String.init).joined(separator: ", ")
            throw ParseError("\"\(text)\" is not a baud rate: use one of \(allowed)")
        }
        return baudRate
    }

    private static func gpsd(_ argument: Substring) throws(ParseError) -> Self {
        if argument.isEmpty { return .gpsd(host: defaultHost, port: defaultPort) }
        let host: Substring
        var rest: Substring
        if argument.hasPrefix("[") {
            guard let end = argument.firstIndex(of: "]") else {
                throw ParseError("\"\(argument)\" lacks the closing bracket of an IPv6 address: write gpsd:[::1]:2947")
            }
            host = argument[argument.index(after: argument.startIndex)..<end]
            rest = argument[argument.index(after: end)...]
            guard host.contains(":"), host.utf8.allSatisfy(isAddressByte) else {
                throw ParseError("\"\(host)\" is not an IPv6 address: write for example gpsd:[::1]:2947")
            }
        } else {
            let end = argument.firstIndex(of: ":") ?? argument.endIndex
            host = argument[..<end]
            rest = argument[end...]
            guard !rest.dropFirst().contains(":") else {
                throw ParseError("\"\(argument)\": an IPv6 address needs brackets: write gpsd:[::1]:2947")
            }
            guard !host.isEmpty, host.utf8.allSatisfy(isHostByte) else {
                throw ParseError("\"\(host)\" is not a host: write a name or an IP address, as in gpsd:localhost:2947")
            }
        }
        if rest.isEmpty { return .gpsd(host: String(host), port: defaultPort) }
        let colon = rest.removeFirst()
        guard colon == ":", let port = number(rest).flatMap({ Int($0) }), (1...65535).contains(port) else {
            throw ParseError("\"\(rest)\" is not a port of gpsd: use 1 to 65535, as in gpsd:localhost:2947")
        }
        return .gpsd(host: String(host), port: port)
    }

    private static func socket(_ path: Substring) throws(ParseError) -> Self {
        // unix(7): sun_path has room for 108 bytes, with a NUL at the end.
        guard path.hasPrefix("/"), !path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }), path.utf8.count <= 107
        else {
            throw ParseError(
                "\"\(path)\" is not the path of a socket: write socket: and an absolute path of at most 107 bytes")
        }
        return .socket(path: String(path))
    }

    private static func modem(_ name: Substring) throws(ParseError) -> Self {
        if name.isEmpty { return .modem(nil) }
        // An IMEI has 15 digits, an MEID 14 hexadecimal ones, an ESN 8.
        let isNumber = (8...16).contains(name.utf8.count) && name.utf8.allSatisfy(isHexDigit)
        let isPath =
            name.hasPrefix("/") && name.utf8.count <= 255 && name.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        guard isNumber || isPath else {
            throw ParseError(
                """
                "\(name)" is not a modem: write modem: for any modem, or modem:IMEI or modem:PATH as shown by \
                `mmcli -m any`
                """)
        }
        return .modem(String(name))
    }

    private static func bluetooth(_ address: Substring) throws(ParseError) -> Self {
        let bytes = address.split(separator: ":", omittingEmptySubsequences: false)
        guard bytes.count == 6, bytes.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(isHexDigit) }) else {
            throw ParseError(
                """
                "\(address)" is not the address of a Bluetooth device: write, say, bluetooth:10:C6:FC:12:34:56; \
                `bluetoothctl devices` lists the addresses
                """)
        }
        return .bluetooth(address: address.uppercased())
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    private static func replay(_ argument: Substring) throws(ParseError) -> Self {
        let (file, factor) = splitNumber(argument)
        guard !file.isEmpty else {
            throw ParseError("replay lacks a file: write replay:FILE.nmea or, twice as fast, replay:FILE.nmea@2")
        }
        guard let factor else { return .replay(file: String(file), speed: 1) }
        guard let speed = number(factor).flatMap({ Double($0) }), speeds.contains(speed) else {
            throw ParseError("\"\(factor)\" is not a speed of a replay: write 0.01 to 10000, as in replay:FILE.nmea@2")
        }
        return .replay(file: String(file), speed: speed)
    }

    /// Returns the parts before and after the last `@`.
    private static func splitNumber(_ argument: Substring) -> (Substring, Substring?) {
        guard let at = argument.lastIndex(of: "@") else { return (argument, nil) }
        return (argument[..<at], argument[argument.index(after: at)...])
    }

    /// Returns `text` if it contains only digits and points. Swift's own conversions also accept signs, `inf`, `0x1p3`.
    private static func number(_ text: Substring) -> Substring? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") }
            ? text : nil
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// An IPv6 address may end in a zone: `fe80::1%eth0`.
    private static func isAddressByte(_ byte: UInt8) -> Bool {
        isHostByte(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "%")
    }
}
