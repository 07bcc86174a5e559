import Devices
import LocationModel
import LocationProtocol
import Testing

@testable import LocationctlSupport
@testable import MachineDoctor

/// The findings of the doctor on a machine with one fault.
@Suite struct DoctorChecksTests {
    private static let bluetooth = ReceiverSummary(
        name: "GLO", specification: "bluetooth:10:C6:FC:12:34:56", state: .running, fixes: 1)

    /// A fault of a machine.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout Facts) -> Void
        let verdict: Finding.Verdict
        /// Parts of the finding and of its advice.
        let what: String
        let advice: String

        init(
            _ name: String, _ verdict: Finding.Verdict, _ what: String, _ advice: String,
            _ change: @escaping @Sendable (inout Facts) -> Void
        ) {
            (testDescription, self.verdict, self.what, self.advice, self.change) = (name, verdict, what, advice, change)
        }
    }

    private static func set(_ state: ReceiverStatus, _ condition: ReceiverCondition, _ facts: inout Facts) {
        facts.service.receivers?[0].state = state
        facts.service.receivers?[0].condition = condition
    }

    @Test func aSlowReceiverIsAllRight() {
        var facts = DoctorSamples.healthy
        Self.set(.running, .fix, &facts)
        facts.service.receivers?[0].reportInterval = 10.2
        let findings = Examination.findings(in: facts)
        #expect(findings.contains { $0 == .ok("u-blox 7 has a fix, and reports every 10 s") }, "\(findings.text)")
    }

    /// The doctor and the list mention unusual data of a receiver that has a fix.
    @Test func whatIsUnusualOnTheWireIsSaid() throws {
        var facts = DoctorSamples.healthy
        facts.service.receivers?[0].sendsNoChecksums = true
        facts.service.receivers?[0].hasMotionOfAnotherDevice = true
        facts.service.receivers?[0].sendsZeroSeparation = true
        facts.service.receivers?[0].dropped = [DroppedInput(reason: .otherClock, count: 40)]
        let text = Examination.findings(in: facts).text
        #expect(
            text.contains("sends no checksums") && text.contains("a second clock on its wire is hours off"), "\(text)")
        let receiver = try #require(facts.service.receivers?[0])
        #expect(
            ReceiverText.peculiarities(receiver) == [
                "sends no checksums", "a second clock on its wire is hours off", "speed and course from another device",
                "its geoid separation of 0 m is wrong",
            ])
    }

    /// A receiver that was set wrongly does not see more of the sky outside.
    @Test(arguments: ReceiverCondition.allCases, [ReceiverStatus.searching, .running, .lost])
    func theSkyIsMentionedOnlyWhereSatellitesAreTheReason(_ condition: ReceiverCondition, _ state: ReceiverStatus) {
        var facts = DoctorSamples.healthy
        Self.set(state, condition, &facts)
        let mentionsSky = Examination.findings(in: facts).text.contains("sky")
        #expect(mentionsSky == (condition == .noSatellites || condition == .noFix))
    }

    @Test func aHealthyMachineHasNoFindings() {
        let findings = Examination.findings(in: DoctorSamples.healthy)
        #expect(findings.allSatisfy { $0.verdict == .ok && $0.advice == nil }, "\(findings.text)")
        #expect(findings.count > 8)
    }

    @Test(
        arguments: [units, sockets, service, ports, receiverSockets, devices, others, clock, caller].flatMap { $0 })
    func isFound(_ example: Case) throws {
        var facts = DoctorSamples.healthy
        example.change(&facts)
        let findings = Examination.findings(in: facts).filter { $0.verdict != .ok }
        let found = try #require(findings.first { $0.what.contains(example.what) }, "\(findings.text)")
        #expect(found.verdict == example.verdict)
        #expect((found.advice ?? "").contains(example.advice), "\(found)")
        #expect(example.advice.isEmpty == (found.advice == nil))
    }

    static let units = [
        Case("no systemd", .note, "systemd is not running", "start `locationd`") { $0.system.hasSystemd = false },
        Case("not installed", .problem, "does not know locationd.service", "install the package") {
            $0.system.units["locationd.service"]?.load = "not-found"
        },
        Case("masked", .problem, "is masked", "systemctl unmask locationd.service") {
            $0.system.units["locationd.service"]?.load = "masked"
        },
        Case("failed", .problem, "locationd.service has failed", "reset-failed") {
            $0.system.units["locationd.service"]?.active = "failed"
            $0.system.units["locationd.service"]?.result = "watchdog"
        },
        Case("starts for ever", .problem, "3 times", "journalctl") {
            $0.system.units["locationd.service"]?.active = "activating"
            $0.system.units["locationd.service"]?.restarts = 3
        },
        Case("was restarted", .note, "restarted once", "journalctl") {
            $0.system.units["locationd.service"]?.restarts = 1
        },
        Case("nothing starts it", .problem, "locationd.service is not running", "enable --now locationd.service") {
            $0.system.units["locationd.service"]?.active = "inactive"
            $0.system.units["locationd.socket"]?.active = "inactive"
        },
        Case("a socket is stopped", .problem, "locationd-manage.socket is not listening", "enable --now") {
            $0.system.units["locationd-manage.socket"]?.active = "inactive"
        },
        Case("a socket is not enabled", .note, "listening, but is not enabled", "systemctl enable locationd.socket") {
            $0.system.units["locationd.socket"]?.enabled = "disabled"
        },
        Case("peers are stopped", .problem, "locationd-peers.socket is not listening", "enable --now") {
            $0.system.units["locationd-peers.socket"]?.active = "inactive"
        },
        Case("peers failed", .problem, "locationd-peers.service has failed", "restart locationd-peers.socket") {
            $0.system.units["locationd-peers.service"]?.active = "failed"
        },
        Case("a mistake", .problem, "locationd.toml:3: unknown key", "reload-or-restart") {
            $0.configurationError = "/etc/locationd/locationd.toml:3: unknown key recevier"
        },
    ]

    static let sockets = [
        Case("no folder", .problem, "does not exist", "enable --now locationd.socket") { $0.folder = nil },
        Case("the folder is another's", .problem, "users other than root may write to", "chown root:root") {
            $0.folder?.uid = 1000
        },
        Case("the folder is everybody's", .problem, "users other than root may write to", "chmod 0755") {
            $0.folder?.mode = 0o777
        },
        Case("the folder is closed", .problem, "not accessible to this user", "chmod 0755") { $0.isFolderOpen = false },
        Case("no socket", .problem, "socket /run/locationd/io.locationd.Location does not exist", "enable --now") {
            $0.publicSocket.file = nil
        },
        Case("closed", .problem, "not accessible to this user", "restart locationd.socket") {
            $0.publicSocket.isOpen = false
        },
        Case("closed to others", .problem, "not accessible to all users", "restart locationd.socket") {
            $0.publicSocket.file?.mode = 0o660
        },
        Case("polkit is not asked", .note, "not accessible to all users", "restart locationd-manage.socket") {
            $0.managementSocket.file?.mode = 0o660
        },
        Case("the group does not manage", .note, "not belong to the group", "SocketGroup=") {
            $0.managementSocket.file?.group = "root"
        },
    ]

    static let service = [
        Case("silent", .problem, "does not answer", "journalctl -u locationd") {
            $0.service.answers = false
            $0.service.failure = "locationd closed the connection"
        },
        Case("off for all", .problem, "off for the whole machine", "sudo locationctl enable") {
            $0.service.services = GetServices.Reply(machine: false, user: true)
        },
        Case("off for me", .problem, "location services are off", "sudo locationctl enable --uid") {
            $0.service.services = GetServices.Reply(machine: true, user: false)
        },
        Case("off on the desktop", .problem, "by the switch of your desktop", "settings") {
            $0.service.services = GetServices.Reply(machine: true, user: false, desktop: false)
        },
        Case("management is silent", .problem, "management socket does not answer", "journalctl") {
            $0.service.managementFailure = "closed"
        },
        Case("management is not for me", .note, "cannot be checked", "") {
            $0.service.managementFailure = "not permitted"
            $0.managementSocket.isOpen = false
        },
        Case("polkit refuses", .note, "cannot be checked", "") {
            $0.service.managementFailure = "not authorized"
            $0.service.isManagementRefused = true
        },
        Case("a prompt", .note, "an app is waiting for an answer", "locationctl agent") { $0.service.openPrompts = 1 },
        Case("undecided", .note, "there is no decision", "locationctl grant exe:/usr/bin/locationctl") {
            $0.service.authorization?.status = .notDetermined
        },
        Case("denied", .note, "was denied", "locationctl grant") { $0.service.authorization?.status = .denied },
        Case("restricted", .note, "forbids", "[[restricted]]") { $0.service.authorization?.status = .restricted },
        Case("a modem", .note, "the modem EC25 has a receiver that locationd does not use", "setup --port modem:") {
            $0.service.receivers = []
            $0.modems = [.init(model: "E3372", hasReceiver: false), .init(model: "EC25", hasReceiver: true)]
        },
        Case("a Bluetooth device", .note, "GLO #1 may be a receiver", "setup --port bluetooth:10:C6:FC:12:34:56") {
            $0.service.receivers = []
            $0.bluetooth = [.init(address: "10:C6:FC:12:34:56", name: "GLO #1")]
        },
        Case("Bluetooth is blocked", .problem, "Bluetooth is blocked on this machine", "rfkill unblock bluetooth") {
            $0.service.receivers = [bluetooth]
            $0.bluetoothSwitch.isBlockedBySoftware = true
        },
        Case("no adapter hears beacons", .problem, "beacons cannot be found: it is off", "bluetoothctl show") {
            $0.service.missingBeacons = "it is off"
        },
        Case("Bluetooth is switched off", .problem, "blocked by a switch of this machine", "firmware's settings") {
            $0.service.receivers = [bluetooth]
            $0.bluetoothSwitch = BluetoothSwitch(isBlockedBySoftware: true, isBlockedByHardware: true)
        },
        Case("a battery", .note, "the battery of GLO is at 14 %", "charge it") {
            $0.service.receivers = [bluetooth]
            $0.service.receivers?[0].battery = 14
        },
        Case("no receiver", .problem, "no receiver is configured", "plug one in") { $0.service.receivers = [] },
        Case("lost", .problem, "u-blox 7 is lost", "") { $0.service.receivers?[0].state = .lost },
        Case("unplugged", .problem, "GPS0 is not plugged in", "plug it in") {
            $0.service.receivers?.append(
                ReceiverSummary(name: "GPS0", specification: "usb:GPS0", state: .stopped, fixes: 0))
        },
        Case("interference", .note, "reports interference", "move the antenna") {
            $0.service.receivers?[0].jamming = JammingReport(level: .warning, indicator: 90)
        },
        Case("jamming", .problem, "reports interference", "move the antenna") {
            $0.service.receivers?[0].jamming = JammingReport(level: .critical, indicator: 255)
        },
        Case("separation 0", .problem, "u-blox 7 reports a geoid separation of 0 m", "compare its altitude") {
            $0.service.receivers?[0].sendsZeroSeparation = true
        },
        Case("no fix", .note, "no fix yet", "") { $0.service.receivers?[0].state = .searching },
        Case("silent", .problem, "u-blox 7 sends nothing", "switched on") { set(.lost, .nothing, &$0) },
        Case("garbage", .problem, "what u-blox 7 sends cannot be read at 4800 baud", "leave the baud rate out") {
            set(.lost, .unreadable, &$0)
            $0.service.receivers?[0].specification = "serial:/dev/ttyS0@4800"
        },
        Case("SiRF", .problem, "u-blox 7 sends SiRF binary, not NMEA 0183", "gpsctl -n") {
            set(.lost, .otherProtocol, &$0)
            $0.service.receivers?[0].protocolName = "SiRF binary"
        },
        Case("no position", .problem, "u-blox 7 sends no position", "RMC and GGA") {
            set(.searching, .noPosition, &$0)
            $0.service.receivers?[0].protocolName = "UBX NAV-CLOCK"
        },
        Case("no satellite", .note, "u-blox 7 has no fix: it sees no satellite", "the sky") {
            set(.searching, .noSatellites, &$0)
        },
        Case("some satellites", .note, "u-blox 7 has no fix yet: 3 satellites in view", "") {
            set(.running, .noFix, &$0)
            $0.service.receivers?[0].satellitesInView = 3
        },
        Case("no date", .note, "it sends no date, so its fixes get that of this machine's clock", "RMC or ZDA") {
            set(.running, .undated, &$0)
        },
        Case("no date and no clock", .problem, "sends no date, and this machine's clock is not set", "set the clock") {
            set(.searching, .noDate, &$0)
        },
        Case("another datum", .problem, "on the datum ED 50, not on WGS 84", "WGS 84") {
            $0.service.receivers?[0].datum = "ED 50"
        },
        Case("gpsd is meant, and absent", .problem, "gpsd, which is not running", "enable --now gpsd.socket") {
            $0.service.receivers?.append(
                ReceiverSummary(name: "gpsd", specification: "gpsd:", state: .stopped, fixes: 0))
        },
    ]

    static let ports = [
        Case("gone", .problem, "/dev/ttyACM0 does not exist", "plug the receiver in") { $0.ports[0].file = nil },
        Case("a file", .problem, "is not a device", "/dev/ttyACM0") { $0.ports[0].file?.isDevice = false },
        Case("not the group", .problem, "may not open /dev/ttyACM0", "usermod -aG gnss locationd") {
            $0.daemonUser?.groups = [990]
        },
        Case("no group", .problem, "may not open /dev/ttyACM0", "udevadm trigger") { $0.ports[0].file?.mode = 0o600 },
        Case("no group, no receiver", .problem, "may not open /dev/ttyACM0", "GROUP=") {
            $0.ports[0].file?.mode = 0o600
            $0.devices = []
        },
        Case("outside of the sandbox", .note, "does not allow rfcomm devices", "DeviceAllow=char-rfcomm rw") {
            $0.ports[0].node = "/dev/rfcomm0"
        },
        Case("held", .problem, "minicom (process 4711) has /dev/ttyACM0 open", "kill 4711") {
            $0.ports[0].holder = .init(name: "minicom", pid: 4711)
        },
        Case("held by gpsd", .problem, "gpsd (process 4711) has", "disable --now gpsd.socket") {
            $0.ports[0].holder = .init(name: "gpsd", pid: 4711)
        },
        Case("held as a modem", .problem, "ModemManager (process 4711) has", "restart ModemManager") {
            $0.ports[0].holder = .init(name: "ModemManager", pid: 4711)
        },
    ]

    /// A machine with a receiver at a socket.
    private static func setSocket(_ file: FileFacts?, _ facts: inout Facts) {
        facts.receiverSockets = [SocketFacts(path: "/run/gnss.sock", file: file)]
    }

    static let receiverSockets = [
        Case("no socket", .problem, "/run/gnss.sock is not there", "start the program") { setSocket(nil, &$0) },
        Case("no socket of an instance", .problem, "is not there", "enable --now locationd-nmea-receive@phone.socket") {
            $0.receiverSockets = [SocketFacts(path: "/run/locationd-nmea/phone")]
        },
        Case("a file for a socket", .problem, "/run/gnss.sock is not a socket", "name the socket") {
            setSocket(FileFacts(uid: 0, gid: 0, owner: "root", group: "root", mode: 0o666), &$0)
        },
        Case("the socket of a group", .problem, "may not connect to /run/gnss.sock", "usermod -aG geoclue locationd") {
            setSocket(
                FileFacts(uid: 0, gid: 120, owner: "root", group: "geoclue", mode: 0o660, isSocket: true), &$0)
        },
        Case("the socket of nobody else", .problem, "may not connect to /run/gnss.sock", "to a group of that user") {
            setSocket(FileFacts(uid: 0, gid: 0, owner: "root", group: "root", mode: 0o600, isSocket: true), &$0)
        },
        Case("a program that is gone", .problem, "u-blox 7 is lost", "") {
            $0.service.receivers = [DoctorSamples.receiver("socket:/run/gnss.sock", port: nil)]
            $0.service.receivers?[0].state = .lost
            $0.service.receivers?[0].condition = .nothing
            $0.service.receivers?[0].message = "the program that listens at /run/gnss.sock has closed the connection"
        },
    ]

    static let devices = [
        Case("no rules", .problem, "no rules for receivers", "install the package") { $0.system.receiverRules = nil },
        Case("no udev", .note, "udev is not running", "locationd.toml") { $0.system.hasUdev = false },
        Case("rules not carried out", .problem, "has not marked /dev/ttyACM0", "udevadm trigger") {
            $0.devices[0].isReceiver = false
            $0.service.receivers?[0] = DoctorSamples.receiver("serial:/dev/ttyS0", port: nil)
        },
        Case("no link", .note, "the link /dev/gnss-u-blox to", "udevadm trigger") { $0.devices[0].existingLinks = [] },
        Case("a converter", .note, "/dev/ttyUSB0 (FT232R USB UART) may be", "source = \"usb:A50285BI\"") {
            $0.devices.append(DoctorSamples.converter)
        },
        Case("a converter without a number", .note, "may be a receiver", "source = \"serial:/dev/serial/by-path/x\"") {
            $0.devices.append(DoctorSamples.converter)
            $0.devices[1].serialNumber = nil
            $0.devices[1].label = nil
        },
    ]

    static let others = [
        Case("gpsd gets it", .note, "hand /dev/ttyACM0 (u-blox 7) to gpsd", "source = \"gpsd:\"") {
            $0.devices[0].isClaimedByGPSD = true
            $0.system.isGPSDHotplugEnabled = true
            $0.system.units["gpsd.socket"] = UnitFacts(name: "gpsd.socket")
        },
        Case("ModemManager tries it", .problem, "ignore /dev/ttyACM0 (u-blox 7)", "udevadm trigger") {
            $0.devices[0].isIgnoredByModemManager = false
            $0.system.isModemManagerRunning = true
        },
        Case("ModemManager tries a converter", .note, "ignore /dev/ttyUSB0", "ENV{ID_SERIAL_SHORT}==\"A50285BI\"") {
            $0.devices.append(DoctorSamples.converter)
            $0.service.receivers?.append(DoctorSamples.receiver("usb:A50285BI@4800", port: nil))
            $0.system.isModemManagerRunning = true
        },
        Case("no logind", .note, "systemd-logind is not running", "libpam-systemd") { $0.system.hasLogind = false },
        Case("set aside", .note, "/var/lib/locationd/locationd.db.damaged-1", "check the disk") {
            $0.databasesSetAside = ["/var/lib/locationd/locationd.db.damaged-1"]
        },
        Case("a folder of its own", .note, "its sockets are in /tmp/run", "") {
            ($0.isInstalled, $0.directory) = (false, "/tmp/run")
        },
        Case("not root", .note, "cannot check everything", "sudo locationctl doctor") { $0.caller.isRoot = false },
    ]

    static let clock = [
        Case("ahead", .problem, "3 h ahead of the time of u-blox 7", "timedatectl set-ntp true") {
            $0.service.receivers?[0].clockOffset = 10_800
        },
        Case("behind", .note, "30 s behind", "timedatectl") { $0.service.receivers?[0].clockOffset = -30 },
        Case("the receiver's weeks", .problem, "1024 weeks off", "firmware") {
            $0.service.receivers?[0].clockOffset = 1024 * 7 * 86_400 + 0.4
        },
        Case("nothing sets it", .note, "nothing synchronizes the machine's clock", "timedatectl") {
            $0.service.receivers?[0].clockOffset = nil
            $0.system.isClockSynchronized = false
        },
    ]

    static let caller = [
        Case("no group", .problem, "no group locationd", "systemd-sysusers") { $0.caller.groupExists = false },
        Case("no member", .note, "ada is not a member", "usermod -aG locationd ada") { $0.caller.isMember = false },
        Case("a member from the next login on", .problem, "this login began before that", "newgrp locationd") {
            $0.caller.isMemberNow = false
        },
        Case("not logged in", .note, "ada has no active login session", "in-use = \"connected\"") {
            $0.caller.loginState = "online"
        },
    ]

    @Test func problemsComeFirstThenNotes() {
        var facts = DoctorSamples.healthy
        facts.caller.isMember = false
        facts.service.receivers?[0].state = .lost
        facts.system.units["locationd-manage.socket"]?.active = "inactive"
        let findings = Examination.findings(in: facts)
        #expect(findings.map(\.verdict).prefix(4) == [.problem, .problem, .note, .ok])
        #expect(findings[0].what.contains("locationd-manage.socket"))
        #expect(findings[1].what.contains("is lost"))
    }

    @Test func aConverterThatIsNamedIsNotMentioned() {
        for specification in ["usb:A50285BI", "serial:/dev/ttyUSB0@4800", "serial:/dev/serial/by-path/x"] {
            var facts = DoctorSamples.healthy
            facts.devices.append(DoctorSamples.converter)
            facts.service.receivers?.append(DoctorSamples.receiver(specification, port: nil))
            #expect(!Examination.findings(in: facts).contains { $0.verdict != .ok }, "\(specification)")
        }
    }

    /// A converter is not mentioned if it may be configured, because this user cannot list the receivers.
    @Test func aConverterIsNotMentionedWhereTheReceiversAreNotKnown() {
        var facts = DoctorSamples.healthy
        facts.devices.append(DoctorSamples.converter)
        #expect(Examination.findings(in: facts).contains { $0.what.contains("may be a receiver") })
        facts.service.receivers = nil
        #expect(!Examination.findings(in: facts).contains { $0.what.contains("may be a receiver") })
    }

    @Test func theClockIsNotComparedWithARecording() {
        var facts = DoctorSamples.healthy
        facts.service.receivers = [DoctorSamples.receiver("replay:a.nmea", port: nil)]
        facts.service.receivers?[0].clockOffset = 1e8
        #expect(!Examination.findings(in: facts).contains { $0.what.contains("clock") })
    }

    @Test func gpsdThatLocationdReadsFromIsWell() {
        var facts = DoctorSamples.healthy
        facts.service.receivers = [DoctorSamples.receiver("gpsd:", port: nil)]
        facts.devices[0].isClaimedByGPSD = true
        (facts.system.isGPSDHotplugEnabled, facts.system.isGPSDRunning) = (true, true)
        #expect(Examination.findings(in: facts).contains(.ok("locationd reads from gpsd")))
    }

    @Test func namesCannotSteerTheTerminal() {
        #expect(
            [Finding.note("a\u{1B}[31mb", advice: "c\nd")].text == "note     a\u{FFFD}[31mb\n         -> c\u{FFFD}d\n")
    }

    @Test func theLastSentenceSaysWhatToDoFirst() {
        let problems = [
            Finding.note("n", advice: "x"), .problem("p", advice: "plug it in"), .problem("q", advice: "y"),
        ]
        #expect(problems.byImportance.conclusion == "Do this first: plug it in.")
        #expect([Finding.problem("the disk is full")].conclusion == "Look into this first: the disk is full.")
        #expect(
            [Finding.ok("a"), .note("n", advice: "run `b`.")].conclusion
                == "Nothing is broken. If you want to do something: run `b`.")
        #expect([Finding.ok("a"), .note("n")].conclusion == "Nothing needs to be done.")
        #expect([Finding.problem("p", advice: "a\u{1B}b")].conclusion == "Do this first: a\u{FFFD}b.")
    }
}
