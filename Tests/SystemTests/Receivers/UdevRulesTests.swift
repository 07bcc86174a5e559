import Foundation
import Testing

/// The devices that udev's rules and hardware database give to locationd, and their properties.
@Suite(
    .enabled(if: UdevRules.isPossible, "needs umockdev, udev, and a bubblewrap that can create sandboxes"),
    .timeLimit(.minutes(15)))
struct UdevRulesTests {
    private static let receivers = [
        "1546:01A5": "u-blox 5", "1546:01A6": "u-blox 6", "1546:01A7": "u-blox 7", "1546:01A8": "u-blox 8",
        "1546:01A9": "u-blox 9", "1546:01AA": "u-blox 10", "0E8D:3329": "MediaTek GPS", "067B:AAA0": "Pharos GPS",
        "1163:0100": "Earthmate", "1163:0200": "Earthmate LT-20",
    ]

    private func isReceiver(_ outcome: UdevRules.Outcome) -> Bool {
        outcome["ID_LOCATIOND"] == "1" && outcome.group == "gnss" && outcome.mode == "0660"
            && outcome.tags == ["locationd"] && outcome.receiverLinks.count == 1
    }

    private func expectNothing(_ outcome: UdevRules.Outcome, group: String? = "dialout") {
        #expect(outcome["ID_LOCATIOND"] == nil)
        #expect(outcome["ID_MM_PORT_IGNORE"] == nil)
        #expect(outcome["ID_MM_DEVICE_IGNORE"] == nil)
        #expect(outcome.group == group)
        #expect(outcome.tags.isEmpty)
        #expect(outcome.receiverLinks.isEmpty)
    }

    @Test func everyEntryOfTheHardwareDatabaseIsTested() throws {
        let text = try String(contentsOfFile: UdevRules.sources + "/60-locationd.hwdb", encoding: .utf8)
        let entries = text.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.hasPrefix(" ") }
        let ids = entries.compactMap { $0.firstMatch(of: /^usb:v([0-9A-F]{4})p([0-9A-F]{4})\*$/) }
            .map { "\($0.output.1):\($0.output.2)" }
        #expect(ids.count == entries.count)
        #expect(Set(ids) == Set(Self.receivers.keys))
    }

    @Test(arguments: receivers) func aKnownReceiver(id: String, name: String) async throws {
        for node in ["ttyACM0", "ttyUSB0"] {
            let device = MockedDevice(node, id: id, maker: "Maker", name: "Product/1", serial: "42")
            let outcome = try await UdevRules().outcome(of: device)
            #expect(isReceiver(outcome), "\(outcome)")
            #expect(outcome["ID_LOCATIOND_NAME"] == name)
            #expect(outcome["ID_MM_PORT_IGNORE"] == "1")
            #expect(outcome.receiverLinks == ["/dev/gnss-Maker_Product_1_42"])
        }
        let device = MockedDevice("ttyACM0", id: id)
        #expect(try await UdevRules().outcome(of: device, ofUSBDevice: true)["ID_MM_DEVICE_IGNORE"] == "1")
    }

    @Test(arguments: ["0403:6001", "067b:2303", "1a86:7523", "10c4:ea60", "10c4:ea71", "1546:1102", "1546:01ab"])
    func aConverterForAnyDeviceGetsNothing(id: String) async throws {
        let name = id.hasPrefix("10c4") ? "CP2102 USB to UART Bridge Controller" : "USB-Serial Controller"
        let device = MockedDevice("ttyUSB0", id: id, maker: "Maker", name: name, serial: "0001")
        expectNothing(try await UdevRules().outcome(of: device))
        #expect(try await UdevRules().outcome(of: device, ofUSBDevice: true)["ID_MM_DEVICE_IGNORE"] == nil)
    }

    @Test(arguments: [
        "GPS", "gps", "GPS-MIC-1", "GPS18x", "USB GPS", "USB_GPS Mouse", "GNSS receiver", "Dual GNSS-Board",
        "u-blox NEO-M8",
        "Board with U-Blox",
    ])
    func aConverterThatItsMakerNamedAReceiver(name: String) async throws {
        for id in ["10c4:ea60", "10c4:ea71"] {
            let device = MockedDevice("ttyUSB0", id: id, maker: "Maker", name: name)
            let outcome = try await UdevRules().outcome(of: device)
            #expect(isReceiver(outcome), "\(outcome)")
            #expect(outcome["ID_MM_PORT_IGNORE"] == "1")
            #expect(try await UdevRules().outcome(of: device, ofUSBDevice: true)["ID_MM_DEVICE_IGNORE"] == "1")
        }
    }

    @Test(arguments: ["CP2108 Quad USB to UART Bridge Controller", "HMGPSU2030", "GPSU", "Agnss", "blox", nil])
    func aConverterThatItsMakerNamedOtherwise(name: String?) async throws {
        for id in ["10c4:ea60", "10c4:ea71"] {
            let device = MockedDevice("ttyUSB0", id: id, maker: "GPS Maker", name: name)
            expectNothing(try await UdevRules().outcome(of: device))
        }
    }

    /// A name that makes a CP2102 a receiver does not do so for other converters.
    @Test func aNameAloneIsNotEnough() async throws {
        let device = MockedDevice("ttyUSB0", id: "0403:6001", maker: "FTDI", name: "USB GPS")
        expectNothing(try await UdevRules().outcome(of: device))
    }

    @Test(arguments: [
        ("00", 0, "/dev/gnss-Maker_GPS_1"), ("01", 0, "/dev/gnss-Maker_GPS_1-if01"),
        ("00", 3, "/dev/gnss-Maker_GPS_1-port3"), ("0a", 1, "/dev/gnss-Maker_GPS_1-if0a-port1"),
    ])
    func eachPortOfADeviceHasALink(interface: String, port: Int, link: String) async throws {
        var device = MockedDevice("ttyUSB3", id: "10c4:ea71", maker: "Maker", name: "GPS", serial: "1")
        device.interface = interface
        device.converterPort = port
        #expect(try await UdevRules().outcome(of: device).receiverLinks == [link])
    }

    @Test func aBuiltInReceiver() async throws {
        let outcome = try await UdevRules().outcome(of: MockedDevice("gnss0"))
        #expect(isReceiver(outcome), "\(outcome)")
        #expect(outcome.receiverLinks == ["/dev/gnss-platform-soc"])
        #expect(outcome["ID_LOCATIOND_NAME"] == "GNSS receiver")
        #expect(outcome["ID_MM_PORT_IGNORE"] == nil)
    }

    /// With rules like ModemManager's 77-mm-telit-port-types.rules.
    @Test func thePortOfAModemThatSendsFixes() async throws {
        let rules = UdevRules(others: [
            "77-mm-test.rules": """
            SUBSYSTEMS=="usb", ATTRS{bInterfaceNumber}=="?*", ENV{.MM_USBIFNUM}="$attr{bInterfaceNumber}"
            ATTRS{idVendor}=="1bc7", ATTRS{idProduct}=="1010", ENV{.MM_USBIFNUM}=="04", ENV{ID_MM_PORT_TYPE_GPS}="1"

            """
        ])
        var device = MockedDevice("ttyUSB4", id: "1bc7:1010", maker: "Telit", name: "LE910", serial: "0123456789ABCDEF")
        device.interface = "04"
        let outcome = try await rules.outcome(of: device)
        #expect(isReceiver(outcome), "\(outcome)")
        #expect(outcome.receiverLinks == ["/dev/gnss-Telit_LE910_0123456789ABCDEF-if04"])
        // ModemManager has to switch the receiver on.
        #expect(outcome["ID_MM_PORT_IGNORE"] == nil)
        #expect(try await rules.outcome(of: device, ofUSBDevice: true)["ID_MM_DEVICE_IGNORE"] == nil)
        device.interface = "03"
        expectNothing(try await rules.outcome(of: device))
    }

    @Test func aDeviceOfAnotherKindGetsNothing() async throws {
        var device = MockedDevice("ttyS4")
        device.vendor = "8086"
        device.product = "0001"
        expectNothing(try await UdevRules().outcome(of: device))
    }
}
