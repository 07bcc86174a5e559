import Bus
import Glibc
import Testing

@testable import Receivers

/// The devices that BlueZ knows, and the reasons why they cannot be read.
struct BluetoothObjectTests {
    private typealias Samples = BluetoothSamples

    private func reported(_ objects: [BluetoothObject], _ address: String = Samples.address) -> ReceiverFailure? {
        if case .failure(let failure) = BluetoothObject.find(address, in: objects) { failure } else { nil }
    }

    @Test(arguments: [
        ([BlueZ.serialPort], BluetoothLink.serialPort),
        ([BlueZ.serialPort.uppercased()], .serialPort),
        ([BlueZ.nordicUART.uppercased()], .nordicUART),
        // Without the delay of searching for services.
        ([BlueZ.nordicUART, BlueZ.serialPort], .serialPort),
        (["0000110b-0000-1000-8000-00805f9b34fb"], nil),
        ([], nil),
    ])
    func theLinkIsChosenByTheServices(services: [String], link: BluetoothLink?) {
        let device = Samples.device(services: services)
        #expect(device.link == link)
        #expect(device.isPossibleReceiver == (link != nil))
    }

    @Test func onlyItsOwnPropertiesOfTheRightTypesAreRead() {
        var device = Samples.device()
        let before = device
        device.set("Paired", of: BlueZ.device, to: .string("no"))
        device.set("Paired", of: BlueZ.adapter, to: .boolean(false))
        device.set("Address", of: BlueZ.device, to: .boolean(false))
        device.set("RSSI", of: BlueZ.device, to: .int32(-40))
        device.set("UUIDs", of: BlueZ.device, to: .string(BlueZ.nordicUART))
        #expect(device == before)
        #expect(device.name == "GLO #1")
        device.set("Alias", of: BlueZ.device, to: .string(String(repeating: "x", count: 200)))
        #expect(device.name.count == 40)
        device.set("Alias", of: BlueZ.device, to: .string(""))
        #expect(device.name == Samples.address)
    }

    @Test func itIsFoundByItsAddress() throws {
        let objects = [Samples.adapter(), Samples.device(), Samples.output()]
        let found = try BluetoothObject.find(Samples.address, in: objects).get()
        #expect(found.device == Samples.device() && found.adapter == Samples.adapter())
        #expect(reported(objects, "10:C6:FC:12:34:57")?.message.contains("does not know the device") == true)
    }

    /// A machine with two adapters knows the device at both, and has paired it at one.
    @Test func theAdapterIsThatOfThePairing() throws {
        let other = "/org/bluez/hci1"
        let found = try BluetoothObject.find(
            Samples.address,
            in: [
                Samples.adapter(), Samples.adapter(path: other), Samples.device(isPaired: false),
                Samples.device(at: other),
            ]
        ).get()
        #expect(found.adapter.path == other)
    }

    @Test(arguments: [
        ([], ReceiverFailure.Reason.missing, "has no Bluetooth adapter"),
        ([Samples.device()], .missing, "has no Bluetooth adapter"),
        ([Samples.adapter()], .missing, "bluetoothctl pair 10:C6:FC:12:34:56"),
        ([Samples.adapter(isPowered: false)], .unusable, "bluetoothctl power on"),
        ([Samples.adapter(isPowered: false), Samples.device()], .unusable, "bluetoothctl power on"),
        (
            [Samples.adapter(isPowered: false, state: "off-blocked"), Samples.device()], .unusable,
            "sudo rfkill unblock bluetooth"
        ),
        ([Samples.adapter(), Samples.device(isPaired: false)], .unusable, "GLO #1 is not paired"),
        (
            [Samples.adapter(), Samples.device(isPaired: false, ["Trusted": .boolean(true)])], .unusable,
            "trusted, but not paired"
        ),
        ([Samples.adapter(), Samples.device(services: [])], .unusable, "offers neither"),
    ])
    func aDeviceThatCannotBeRead(objects: [BluetoothObject], reason: ReceiverFailure.Reason, text: String) throws {
        let failure = try #require(reported(objects))
        #expect(failure.reason == reason)
        #expect(failure.message.contains(text), "\(failure.message)")
    }

    /// Many devices with Nordic's service cannot be paired.
    @Test func aTrustedDeviceWithNordicsServiceIsRead() {
        let device = Samples.device(services: [BlueZ.nordicUART], isPaired: false, ["Trusted": .boolean(true)])
        #expect(reported([Samples.adapter(), device]) == nil)
    }

    @Test(arguments: [
        (CInt(AF_BLUETOOTH), SOCK_STREAM, true, false), (AF_BLUETOOTH, SOCK_SEQPACKET, false, false),
        (AF_UNIX, SOCK_SEQPACKET, false, true), (AF_UNIX, SOCK_STREAM, false, false),
        (AF_INET, SOCK_STREAM, false, false),
    ])
    func theDescriptorsThatAreRead(family: CInt, type: __socket_type, isSerialPort: Bool, isNordicUART: Bool) {
        func isAcceptable(_ link: BluetoothLink) -> Bool {
            BluetoothDescriptor.isAcceptable(family: family, type: CInt(type.rawValue), for: link)
        }
        #expect(isAcceptable(.serialPort) == isSerialPort)
        #expect(isAcceptable(.nordicUART) == isNordicUART)
    }

    @Test func descriptorsOfOtherThingsAreNotRead() throws {
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        var pair: [CInt] = [-1, -1]
        #expect(socketpair(AF_UNIX, CInt(SOCK_SEQPACKET.rawValue), 0, &pair) == 0)
        defer { pair.forEach { close($0) } }
        #expect(!BluetoothDescriptor.isAcceptable(file, for: .nordicUART))
        #expect(!BluetoothDescriptor.isAcceptable(file, for: .serialPort))
        #expect(!BluetoothDescriptor.isAcceptable(-1, for: .serialPort))
        #expect(!BluetoothDescriptor.isAcceptable(pair[0], for: .serialPort))
        #expect(BluetoothDescriptor.isAcceptable(pair[0], for: .nordicUART))
    }
}
