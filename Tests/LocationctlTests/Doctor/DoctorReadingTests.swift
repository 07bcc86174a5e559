import TestSupport
import Testing

@testable import LocationctlCommands

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

    @Test func theOwnerOfANameAsBusctlShowsIt() {
        let text = "PID=4711\nPPID=1\nTTY=n/a\nUID=0\nEUID=120\nComm=geoclue\nUnit=geoclue.service\n"
        #expect(GeoClueFacts.Owner(text) == .init(name: "geoclue", pid: 4711, uid: 120))
        #expect(GeoClueFacts.Owner("PID=1\nEUID=0\n") == .init(name: "a program", pid: 1, uid: 0))
        for incomplete in ["", "PID=4711\n", "EUID=0\n", "PID=\nEUID=0\n", "PID=x\nEUID=-1\n"] {
            #expect(GeoClueFacts.Owner(incomplete) == nil)
        }
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

    @Test func theBluetoothDevicesAsBusctlShowsThem() {
        func parse(services: String, isPaired: Bool) -> [BluetoothFacts] {
            let properties = """
                "Address":{"type":"s","data":"10:C6:FC:12:34:56"},"Alias":{"type":"s","data":"GLO #1"},\
                "Adapter":{"type":"o","data":"/org/bluez/hci0"},"Paired":{"type":"b","data":\(isPaired)},\
                "UUIDs":{"type":"as","data":[\(services)]},"RSSI":{"type":"n","data":-60},\
                "ManufacturerData":{"type":"a{qv}","data":{"76":{"type":"ay","data":[1,2]}}}
                """
            let interfaces = """
                "org.freedesktop.DBus.Introspectable":{},"org.bluez.Device1":{\(properties)}
                """
            return BluetoothFacts.parse(
                """
                {"type":"a{oa{sa{sv}}}","data":[{"/org/bluez":{},"/org/bluez/hci0/dev_10_C6_FC_12_34_56":{\(interfaces)}}]}
                """)
        }
        let device = BluetoothFacts(address: "10:C6:FC:12:34:56", name: "GLO #1")
        let serialPort = #""00001101-0000-1000-8000-00805f9b34fb""#
        #expect(parse(services: serialPort, isPaired: true) == [device])
        #expect(parse(services: #""6e400001-b5a3-f393-e0a9-e50e24dcca9e""#, isPaired: true) == [device])
        #expect(parse(services: serialPort, isPaired: false).isEmpty)
        #expect(parse(services: #""0000110b-0000-1000-8000-00805f9b34fb""#, isPaired: true).isEmpty)
        #expect(parse(services: "", isPaired: true).isEmpty)
        #expect(BluetoothFacts.parse("").isEmpty)
    }

    @Test func theModemsAsBusctlShowsThem() {
        let modem = """
            "org.freedesktop.ModemManager1.Modem":{"Model":{"type":"s","data":"EC25"},\
            "EquipmentIdentifier":{"type":"s","data":"867"},"State":{"type":"i","data":@},\
            "Bearers":{"type":"ao","data":[]}}
            """
        let location = """
            "org.freedesktop.ModemManager1.Modem.Location":{"Capabilities":{"type":"u","data":23}}
            """
        func parse(_ interfaces: String...) -> [ModemFacts] {
            ModemFacts.parse(#"{"type":"a{oa{sa{sv}}}","data":[{"/Modem/0":{\#(interfaces.joined(separator: ","))}}]}"#)
        }
        func modems(hasReceiver: Bool) -> [ModemFacts] {
            [.init(model: "EC25", hasReceiver: hasReceiver, names: ["867", "/Modem/0"])]
        }
        #expect(parse(modem.replacing("@", with: "8"), location) == modems(hasReceiver: true))
        #expect(parse(modem.replacing("@", with: "3"), location) == modems(hasReceiver: false))
        #expect(parse(modem.replacing("@", with: "-1")) == modems(hasReceiver: false))
        for text in ["", "[]", "{}", #"{"data":[]}"#, #"{"data":[{}]}"#, #"{"data":[{"/Modem/0":1}]}"#] {
            #expect(ModemFacts.parse(text).isEmpty)
        }
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
