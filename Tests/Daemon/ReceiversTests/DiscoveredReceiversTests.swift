import Devices
import Receivers
import Testing

/// The assignment of plugged-in devices to known receivers.
struct DiscoveredReceiversTests {
    private func device(
        _ node: String, label: String? = "u-blox_7", interface: String? = "00", path: String = "usb-1",
        product: String = "u-blox 7"
    ) -> Device {
        var device = Device(node: node, path: path, product: product)
        device.label = label
        device.interface = interface
        device.isReceiver = true
        return device
    }

    /// Returns a short text for each change, such as `+u-blox 7 ttyACM0`.
    private func told(_ changes: [DiscoveredReceivers.Change]) -> [String] {
        changes.map { change in
            switch change {
            case .pluggedIn(let entry): "+\(entry.name) \(entry.device.node)"
            case .unplugged(let entry): "-\(entry.name)"
            case .changed(let entry): "=\(entry.name) \(entry.device.node)"
            case .forgotten(let entry): "x\(entry.name)"
            }
        }
    }

    @Test func pluggingInAndUnpluggingIsReportedOnce() {
        var receivers = DiscoveredReceivers()
        #expect(receivers.update([]).isEmpty)
        #expect(told(receivers.update([device("ttyACM0")])) == ["+u-blox 7 ttyACM0"])
        #expect(receivers.update([device("ttyACM0")]).isEmpty)
        #expect(told(receivers.update([])) == ["-u-blox 7"])
        #expect(receivers.update([]).isEmpty)
        #expect(receivers.entries.count == 1)
        #expect(!receivers.entries[0].isPresent)
    }

    @Test(arguments: [("ttyACM1", "usb-1"), ("ttyACM0", "usb-2"), ("ttyACM7", "usb-2")])
    func itIsTheSameOneUnderAnotherNameAndAtAnotherPlace(node: String, path: String) {
        var receivers = DiscoveredReceivers()
        _ = receivers.update([device("ttyACM0")])
        let first = receivers.entries[0]
        _ = receivers.update([])
        #expect(told(receivers.update([device(node, path: path)])) == ["+u-blox 7 \(node)"])
        #expect(receivers.entries.map(\.id) == [first.id])
        #expect(receivers.entries[0].key == first.key)
    }

    @Test func aReceiverMayMoveBetweenTwoUpdates() {
        var receivers = DiscoveredReceivers()
        _ = receivers.update([device("ttyACM0")])
        #expect(told(receivers.update([device("ttyACM1", path: "usb-2")])) == ["=u-blox 7 ttyACM1"])
        #expect(receivers.entries.count == 1)
    }

    @Test func twoOfOneModelAreTwoKnownByTheirPlaces() {
        var receivers = DiscoveredReceivers()
        let (one, two) = (device("ttyACM0", path: "usb-1"), device("ttyACM1", path: "usb-2"))
        #expect(told(receivers.update([one, two])) == ["+u-blox 7 ttyACM0", "+u-blox 7 2 ttyACM1"])
        #expect(Set(receivers.entries.map(\.key)).count == 2)
        // Both are plugged in again, with their nodes exchanged.
        _ = receivers.update([])
        let changes = receivers.update([device("ttyACM0", path: "usb-2"), device("ttyACM1", path: "usb-1")])
        #expect(told(changes) == ["+u-blox 7 2 ttyACM0", "+u-blox 7 ttyACM1"])
    }

    @Test func theRemainingReceiverKeepsItsIdentity() {
        var receivers = DiscoveredReceivers()
        let (one, two) = (device("ttyACM0", path: "usb-1"), device("ttyACM1", path: "usb-2"))
        _ = receivers.update([one, two])
        #expect(told(receivers.update([two])) == ["-u-blox 7"])
        #expect(told(receivers.update([device("ttyACM0", path: "usb-3"), two])) == ["+u-blox 7 ttyACM0"])
        #expect(receivers.entries.count == 2)
    }

    @Test func atThePlaceOfOneThatHasMovedThereMayBeAnotherOne() {
        var receivers = DiscoveredReceivers()
        _ = receivers.update([device("ttyACM0", path: "usb-1")])
        _ = receivers.update([device("ttyACM1", path: "usb-2")])
        _ = receivers.update([device("ttyACM1", path: "usb-2"), device("ttyACM0", path: "usb-1")])
        _ = receivers.update([
            device("ttyACM1", path: "usb-2"), device("ttyACM0", path: "usb-3"), device("ttyACM2", path: "usb-1"),
        ])
        #expect(receivers.entries.filter(\.isPresent).count == 3)
        #expect(Set(receivers.entries.map(\.key)).count == 3)
        #expect(Set(receivers.entries.map(\.name)).count == 3)
    }

    @Test func thePortsOfOneDeviceAndDevicesWithNumbersOfTheirOwnAreKeptApart() {
        var receivers = DiscoveredReceivers()
        let changes = receivers.update([
            device("ttyUSB0", label: "GPS_0001", interface: "00", product: "GPS"),
            device("ttyUSB1", label: "GPS_0001", interface: "01", product: "GPS"),
            device("ttyUSB2", label: "GPS_0002", interface: "00", path: "usb-2", product: "GPS"),
        ])
        #expect(told(changes) == ["+GPS ttyUSB0", "+GPS 2 ttyUSB1", "+GPS 3 ttyUSB2"])
        #expect(receivers.entries.map(\.key) == ["GPS_0001-if00", "GPS_0001-if01", "GPS_0002-if00"])
        _ = receivers.update([])
        // Devices with serial numbers may change places.
        let back = receivers.update([device("ttyUSB0", label: "GPS_0002", path: "usb-1", product: "GPS")])
        #expect(told(back) == ["+GPS 3 ttyUSB0"])
    }

    @Test func whatHasNoNumberIsKnownByItsPlace() {
        var receivers = DiscoveredReceivers()
        _ = receivers.update([device("gnss0", label: nil, interface: nil, path: "platform-a", product: "GNSS receiver")]
        )
        _ = receivers.update([])
        let changes = receivers.update([
            device("gnss0", label: nil, interface: nil, path: "platform-b", product: "GNSS receiver"),
            device("gnss1", label: nil, interface: nil, path: "platform-a", product: "GNSS receiver"),
        ])
        #expect(told(changes) == ["+GNSS receiver 2 gnss0", "+GNSS receiver gnss1"])
    }

    @Test func ofThoseThatAreUnpluggedOnlyTheLatestAreRemembered() {
        var receivers = DiscoveredReceivers()
        for number in 0..<100 {
            _ = receivers.update([device("ttyACM0", label: "GPS_\(number)", product: "GPS")])
            let changes = receivers.update([])
            let forgotten = number - DiscoveredReceivers.rememberedAbsent
            #expect(told(changes).last?.first == (forgotten >= 0 ? "x" : "-"))
        }
        #expect(receivers.entries.count == DiscoveredReceivers.rememberedAbsent)
        #expect(receivers.entries.last?.device.label == "GPS_99")
        #expect(Set(receivers.entries.map(\.id)).count == receivers.entries.count)
    }
}
