import Devices
import Testing

struct ReceiverSpecificationTests {
    @Test(arguments: [
        ("serial:/dev/ttyACM0", ReceiverSpecification.serial(path: "/dev/ttyACM0", baudRate: nil)),
        ("serial:/dev/ttyUSB0@4800", .serial(path: "/dev/ttyUSB0", baudRate: 4800)),
        ("serial:/dev/a@b@9600", .serial(path: "/dev/a@b", baudRate: 9600)),
        ("serial:/dev/a@b@", .serial(path: "/dev/a@b", baudRate: nil)),
        ("usb:0001", .usb(serial: "0001", baudRate: nil)),
        (
            "usb:u-blox_AG_-_www.u-blox.com_u-blox_7@115200",
            .usb(serial: "u-blox_AG_-_www.u-blox.com_u-blox_7", baudRate: 115_200)
        ),
        ("usb:a@1@", .usb(serial: "a@1", baudRate: nil)),
        ("usb:a@1@4800", .usb(serial: "a@1", baudRate: 4800)),
        ("gpsd:", .gpsd(host: "localhost", port: 2947)),
        ("gpsd:boat.local", .gpsd(host: "boat.local", port: 2947)),
        ("gpsd:127.0.0.1:2948", .gpsd(host: "127.0.0.1", port: 2948)),
        ("gpsd:[::1]", .gpsd(host: "::1", port: 2947)),
        ("gpsd:[fe80::1%eth0]:65535", .gpsd(host: "fe80::1%eth0", port: 65535)),
        ("socket:/run/gnss-share.sock", .socket(path: "/run/gnss-share.sock")),
        ("socket:/run/a b@1:2", .socket(path: "/run/a b@1:2")),
        ("modem:", .modem(nil)),
        ("modem:867698040000017", .modem("867698040000017")),
        ("modem:/org/freedesktop/ModemManager1/Modem/0", .modem("/org/freedesktop/ModemManager1/Modem/0")),
        ("bluetooth:10:C6:FC:12:34:56", .bluetooth(address: "10:C6:FC:12:34:56")),
        ("fixed:48.13743,11.57549,520~5", .fixed(try! FixedPlace(parsing: "48.13743,11.57549,520~5"))),
        ("simulated", .simulated(route: nil)),
        ("simulated:walk.gpx", .simulated(route: "walk.gpx")),
        ("simulated:C:/a:b.gpx", .simulated(route: "C:/a:b.gpx")),
        ("replay:walk.nmea", .replay(file: "walk.nmea", speed: 1)),
        ("replay:/logs/walk.nmea@2", .replay(file: "/logs/walk.nmea", speed: 2)),
        ("replay:walk.nmea@0.25", .replay(file: "walk.nmea", speed: 0.25)),
        ("replay:a@b.nmea@1", .replay(file: "a@b.nmea", speed: 1)),
    ])
    func whatIsWrittenIsReadAndWrittenTheSame(text: String, specification: ReceiverSpecification) throws {
        #expect(try ReceiverSpecification(parsing: text) == specification)
        #expect(specification.description == text)
    }

    @Test(arguments: [
        ("gpsd", "gpsd:"),
        ("gpsd:localhost", "gpsd:"),
        ("gpsd:localhost:2947", "gpsd:"),
        ("replay:walk.nmea@1.0", "replay:walk.nmea"),
        ("fixed:+48.50,-0,520.0~10", "fixed:48.5,0,520"),
        ("fixed:1e-05,180", "fixed:1e-05,180"),
        ("serial:/dev/ttyS0@9600", "serial:/dev/ttyS0@9600"),
        ("usb:0001@", "usb:0001"),
        ("bluetooth:10:c6:fc:12:34:5a", "bluetooth:10:C6:FC:12:34:5A"),
    ])
    func otherWaysToWriteIt(text: String, canonical: String) throws {
        #expect(try ReceiverSpecification(parsing: text).description == canonical)
    }

    @Test(arguments: [
        ("", "simulated[:ROUTE.gpx]"),
        ("infrared:1", "unknown kind of receiver \"infrared\""),
        ("bluetooth", "is not the address of a Bluetooth device"),
        ("bluetooth:", "`bluetoothctl devices` lists the addresses"),
        ("bluetooth:10:C6:FC:12:34", "\"10:C6:FC:12:34\" is not the address"),
        ("bluetooth:10:C6:FC:12:34:56:78", "is not the address"),
        ("bluetooth:10:C6:FC:12:34:5G", "is not the address"),
        ("bluetooth:10:C6:FC:12::56", "is not the address"),
        ("bluetooth:10-C6-FC-12-34-56", "is not the address"),
        ("usb", "usb lacks a serial number"),
        ("usb:", "udevadm info"),
        ("usb:@9600", "usb lacks a serial number"),
        ("usb:0001@1234", "\"1234\" is not a baud rate: use one of 4800"),
        ("serial", "absolute path"),
        ("serial:", "absolute path"),
        ("serial:ttyACM0", "\"ttyACM0\" is not an absolute path"),
        ("serial:/dev/ttyACM0@", "4800, 9600"),
        ("serial:/dev/ttyACM0@1234", "\"1234\" is not a baud rate: use one of 4800"),
        ("serial:/dev/ttyACM0@fast", "921600"),
        ("serial:@9600", "absolute path"),
        ("socket", "is not the path of a socket"),
        ("socket:run/gnss", "absolute path"),
        ("socket:/run/gnss\n", "absolute path"),
        ("socket:/" + String(repeating: "a", count: 107), "at most 107 bytes"),
        ("modem:EC25", "\"EC25\" is not a modem: write modem: for any"),
        ("modem:86769804000001712", "is not a modem"),
        ("modem:/dev/tty USB2", "is not a modem"),
        ("modem:/" + String(repeating: "a", count: 255), "is not a modem"),
        ("fixed", "is not a place: write LATITUDE,LONGITUDE"),
        ("fixed:48", "is not a place"),
        ("fixed:1,2,3,4", "is not a place"),
        ("fixed:91,0", "\"91\" is not a latitude in degrees: use a number from -90.0 to 90.0"),
        ("fixed:0,180.1", "longitude"),
        ("fixed:0,0,", "\"\" is not an altitude"),
        ("fixed:0,0,1e9", "altitude"),
        ("fixed:0,0~0", "accuracy in metres"),
        ("fixed:nan,0", "\"nan\" is not a latitude"),
        ("fixed:0x1,0", "latitude"),
        ("gpsd:local host", "\"local host\" is not a host"),
        ("gpsd::2947", "is not a host"),
        ("gpsd:localhost:", "\"\" is not a port"),
        ("gpsd:localhost:0", "1 to 65535"),
        ("gpsd:localhost:65536", "1 to 65535"),
        ("gpsd:localhost:+80", "1 to 65535"),
        ("gpsd:::1", "brackets"),
        ("gpsd:[::1", "closing bracket"),
        ("gpsd:[::1]x", "is not a port"),
        ("gpsd:[localhost]:2947", "not an IPv6 address"),
        ("simulated:", "lacks a route"),
        ("replay", "lacks a file"),
        ("replay:@2", "lacks a file"),
        ("replay:walk.nmea@", "0.01 to 10000"),
        ("replay:walk.nmea@0", "0.01 to 10000"),
        ("replay:walk.nmea@-1", "0.01 to 10000"),
        ("replay:walk.nmea@inf", "0.01 to 10000"),
        ("replay:walk.nmea@1e3", "0.01 to 10000"),
        ("replay:walk.nmea@10001", "\"10001\" is not a speed"),
    ])
    func errorsNameTheAllowedValues(text: String, message: String) {
        let error = #expect(throws: ReceiverSpecification.ParseError.self) {
            try ReceiverSpecification(parsing: text)
        }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("serial:/dev/serial/by-id/usb-u-blox_7-if00@9600", "usb-u-blox_7-if00"), ("gpsd:[::1]:2947", "gpsd"),
        ("bluetooth:10:C6:FC:12:34:56", "bluetooth"),
        ("simulated:walk.gpx", "simulated"), ("replay:/logs/walk.nmea@2", "walk.nmea"),
    ])
    func shortNames(text: String, name: String) throws {
        #expect(try ReceiverSpecification(parsing: text).name == name)
    }
}
