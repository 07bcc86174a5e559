import Testing

@testable import Devices

/// The names by which users specify a device.
struct DeviceTests {
    private func device(_ node: String, serial: String? = nil, label: String? = nil, interface: String = "00") -> Device
    {
        var device = Device(node: node, path: "usb-1", product: "GPS")
        device.serialNumber = serial
        device.label = label
        device.interface = interface
        return device
    }

    @Test func itsSpecificationMeansIt() {
        var plain = Device(node: "/dev/gnss0", path: "platform-soc", product: "GNSS receiver")
        plain.links = ["/dev/a", "/dev/gnss-platform-soc"]
        let devices = [
            device("/dev/ttyUSB0", serial: "0001", label: "Maker_GPS_0001"), device("/dev/ttyACM0", label: "u-blox_7"),
            plain,
            Device(node: "/dev/ttyS0", path: "/devices/a", product: "receiver"),
        ]
        #expect(
            devices.map(\.specification.description) == [
                "usb:0001", "usb:u-blox_7", "serial:/dev/gnss-platform-soc", "serial:/dev/ttyS0",
            ])
        for one in devices {
            for other in devices { #expect(other.isMeant(by: one.specification) == (one == other)) }
        }
    }

    @Test func aSerialNumberMeansAReceiversFirstPort() {
        var modem = [
            device("/dev/ttyUSB0", serial: "1", label: "Modem_1", interface: "00"),
            device("/dev/ttyUSB2", serial: "1", label: "Modem_1", interface: "02"),
            device("/dev/ttyUSB1", serial: "1", label: "Modem_1", interface: "01"),
            device("/dev/ttyUSB3", serial: "2", label: "Modem_2"),
        ]
        #expect(modem.meant(bySerial: "1", current: nil)?.node == "/dev/ttyUSB0")
        #expect(modem.meant(bySerial: "1", current: "/dev/ttyUSB1")?.node == "/dev/ttyUSB1")
        #expect(modem.meant(bySerial: "1", current: "/dev/ttyUSB3")?.node == "/dev/ttyUSB0")
        #expect(modem.meant(bySerial: "Modem_2", current: nil)?.node == "/dev/ttyUSB3")
        #expect(modem.meant(bySerial: "3", current: nil) == nil)
        modem[1].isReceiver = true
        #expect(modem.meant(bySerial: "1", current: nil)?.node == "/dev/ttyUSB2")
    }

    @Test(arguments: [
        ("u-blox 7 - GPS/GNSS Receiver", "u-blox 7 - GPS/GNSS Receiver"),
        ("  GPS \n", "GPS"),
        ("GPS\nerror: all is lost", "GPSerror: all is lost"),
        ("\u{1B}[2JGPS\u{9B}31m\u{202E}\u{200B}", "[2JGPS31m"),
        (String(repeating: "x", count: 200), String(repeating: "x", count: DisplayName.limit)),
        ("Empfänger", "Empfänger"),
    ])
    func namesAreFitToBeShown(told: String, shown: String) {
        #expect(DisplayName.short(told) == shown)
    }
}
