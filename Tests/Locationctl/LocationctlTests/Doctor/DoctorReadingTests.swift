import Bus
import Receivers
import TestSupport
import Testing

@testable import MachineDoctor

/// The doctor's parsing of the output of programs and of the kernel.
@Suite struct DoctorReadingTests {
    @Test func unitsAsSystemctlShowsThem() {
        let text = """
            NRestarts=2
            Result=exit-code
            ExecMainStatus=1
            User=locationd
            Id=locationd.service
            LoadState=loaded
            ActiveState=failed
            UnitFileState=enabled

            Id=gpsd.service
            LoadState=not-found
            ActiveState=inactive
            UnitFileState=

            """
        let units = UnitFacts.units(in: text)
        #expect(units.count == 2)
        #expect(
            units["locationd.service"]
                == UnitFacts(
                    name: "locationd.service", load: "loaded", active: "failed", enabled: "enabled",
                    result: "exit-code", status: 1, restarts: 2, user: "locationd"))
        #expect(units["gpsd.service"]?.isLoaded == false)
        #expect(units["gpsd.service"]?.isActive == false)
        #expect(UnitFacts.units(in: "\n\nnonsense\n").isEmpty)
    }

    @Test func whatASocketUnitListensOn() {
        let units = UnitFacts.units(
            in: "Id=gpsd.socket\nListen=/run/gpsd.sock (Stream)\nListen=[::1]:2947 (Stream)\nActiveState=active\n")
        #expect(units["gpsd.socket"]?.listens == ["/run/gpsd.sock", "[::1]:2947"])
    }

    @Test(arguments: [
        ("bluetooth", "0", "0", BluetoothSwitch()),
        ("bluetooth", "1", "0", BluetoothSwitch(isBlockedBySoftware: true)),
        ("bluetooth", "0", "1", BluetoothSwitch(isBlockedByHardware: true)),
        ("wlan", "1", "1", BluetoothSwitch()),
        ("bluetooth", "", "", BluetoothSwitch()),
    ])
    func whatBlocksBluetooth(type: String, soft: String, hard: String, state: BluetoothSwitch) throws {
        let board = try SampleBoard(.pi4, debian: 12)
        for (name, text) in [("type", type), ("soft", soft), ("hard", hard)] {
            try board.write(text + "\n", to: "/sys/class/rfkill/rfkill3/\(name)")
        }
        #expect(BluetoothSwitch.of(board.root) == state)
        #expect(BluetoothSwitch.of(SystemRoot(board.folder.path + "/none")) == BluetoothSwitch())
    }

    @Test func bluetoothDevicesThatMayBeReceivers() {
        func facts(service: String?, isPaired: Bool) -> BluetoothFacts? {
            var object = BluetoothObject(path: "/org/bluez/hci0/dev_10_C6_FC_12_34_56")
            let properties: [(String, BusValue)] = [
                ("Address", .string("10:C6:FC:12:34:56")), ("Alias", .string("GLO #1")),
                ("Adapter", .objectPath("/org/bluez/hci0")), ("Paired", .boolean(isPaired)),
                ("UUIDs", .strings(service.map { [$0] } ?? [])),
            ]
            for (name, value) in properties { object.set(name, of: "org.bluez.Device1", to: value) }
            return BluetoothFacts(object)
        }
        let device = BluetoothFacts(address: "10:C6:FC:12:34:56", name: "GLO #1")
        let serialPort = "00001101-0000-1000-8000-00805f9b34fb"
        #expect(facts(service: serialPort, isPaired: true) == device)
        #expect(facts(service: "6e400001-b5a3-f393-e0a9-e50e24dcca9e", isPaired: true) == device)
        #expect(facts(service: serialPort, isPaired: false) == nil)
        #expect(facts(service: "0000110b-0000-1000-8000-00805f9b34fb", isPaired: true) == nil)
        #expect(facts(service: nil, isPaired: true) == nil)
    }

    @Test(arguments: [(8, 23, true), (3, 23, false), (-1, nil, false), (8, 3, false)] as [(Int32, UInt32?, Bool)])
    func modemsWhoseReceiverModemManagerStarts(state: Int32, sources: UInt32?, hasReceiver: Bool) {
        var modem = Modem(path: "/Modem/0")
        (modem.model, modem.imei, modem.state, modem.sources) = ("EC25", "867", state, sources)
        #expect(ModemFacts(modem) == ModemFacts(model: "EC25", hasReceiver: hasReceiver, names: ["867", "/Modem/0"]))
    }

    @Test func theUnitThatTheBusStarts() {
        #expect(
            Survey.activatedUnit(in: "[D-BUS Service]\nExec=/bin/false\nSystemdService=locationd.service\n")
                == "locationd.service")
        #expect(Survey.activatedUnit(in: "[D-BUS Service]\nExec=/usr/libexec/geoclue\n") == nil)
    }

    @Test(
        arguments: [
            ("USBAUTO=\"true\"\n", true), ("# USBAUTO=true\n", false), ("USBAUTO=\"true\"\nUSBAUTO=false\n", false),
            ("", false),
        ])
    func gpsdsUSBAUTO(text: String, takes: Bool) {
        #expect(Survey.opensDevices(text) == takes)
    }

    @Test(
        arguments: [
            (0o660, 1, [5], true), (0o660, 1, [6], false), (0o600, 0, [6], true), (0o604, 1, [6], true),
            // The owner's bits alone count for the owner, the group's alone for its members.
            (0o060, 7, [5], false), (0o604, 1, [5], false),
        ] as [(UInt32, UInt32, Set<UInt32>, Bool)])
    func whoMayRead(mode: UInt32, uid: UInt32, groups: Set<UInt32>, may: Bool) {
        let file = FileFacts(uid: 7, gid: 5, owner: "o", group: "g", mode: mode)
        #expect(file.isReadable(by: UserFacts(name: "u", uid: uid, groups: groups)) == may)
    }

    @Test func databasesThatWereSetAside() throws {
        let folder = try TemporaryFolder()
        for name in ["locationd.db", "locationd.db.damaged-2", "locationd.db.damaged-2-wal", "locationd.db.damaged-1"] {
            try folder.write("", to: name)
        }
        #expect(
            Survey.databasesSetAside(in: folder.path)
                == ["\(folder.path)/locationd.db.damaged-1", "\(folder.path)/locationd.db.damaged-2"])
        #expect(Survey.databasesSetAside(in: folder.path + "/none") == [])
    }
}
