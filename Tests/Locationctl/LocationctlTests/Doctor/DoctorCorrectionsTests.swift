import LocationProtocol
import NTRIP
import RTCM
import TestSupport
import Testing

@testable import MachineDoctor

/// The findings of the doctor about the instances of locationd-ntrip, and the receivers for their corrections.
@Suite struct DoctorCorrectionsTests {
    private static let unit = "locationd-ntrip@base.service"

    /// A machine with an instance, and a receiver that takes corrections at a converter.
    private static func facts(_ status: String, active: String = "active") -> Facts {
        var facts = DoctorSamples.healthy
        facts.casters["base"] = CasterFacts(usesTLS: true, hasUser: true)
        facts.system.units[unit] = UnitFacts(name: unit, active: active, statusText: status)
        facts.service.receivers = [receiver(model: "ZED-F9P", firmware: "HPG 1.32")]
        return facts
    }

    private static func receiver(model: String, firmware: String, dialect: String = "ublox") -> ReceiverSummary {
        var receiver = DoctorSamples.receiver("serial:/dev/ttyUSB0@38400", port: "/dev/ttyUSB0")
        receiver.baudRate = 38_400
        receiver.identity = ReceiverIdentityReport(
            dialect: dialect, maker: "u-blox", model: model, firmware: firmware, protocolVersion: nil)
        return receiver
    }

    @Test func withoutAnInstance() { #expect(CorrectionsCheck.findings(in: DoctorSamples.healthy).isEmpty) }

    @Test(arguments: [
        CasterStatus.unneeded, .connecting(mount: "BASE"), .connecting(mount: nil), .receiving(mount: "BASE"),
    ])
    func anInstanceThatWorks(status: CasterStatus) {
        let found = CorrectionsCheck.findings(in: Self.facts("\(status)"))
        #expect(found == [.ok("\(Self.unit): \(status)")], "\(found.text)")
    }

    @Test func aPasswordWithoutEncryption() {
        var facts = Self.facts("")
        facts.casters["base"]?.usesTLS = false
        let found = CorrectionsCheck.findings(in: facts)
        #expect(found.first?.verdict == .problem && found.first?.what.contains("without encryption") == true)
        #expect(found.first?.advice?.contains("ntrips:// in /etc/locationd/ntrip/base.toml") == true)
        facts.casters["base"]?.hasUser = false
        #expect(CorrectionsCheck.findings(in: facts) == [.ok("\(Self.unit) is running")])
    }

    @Test(
        arguments: [
            (.stopped("\(CasterRefusal.credentials)"), "/etc/credstore/locationd-ntrip.base.user"),
            (.stopped("\(CasterRefusal.noMountPoint); it has A, B"), "correct the mount point in"),
            (.stopped("\(CasterRefusal.redirected)"), "correct /etc/locationd/ntrip/base.toml"),
            (.failed("the caster sends no corrections", retryIn: 20), "try another mount point"),
            (.failed("there is no receiver x; these take them: y", retryIn: 20), "the key receiver"),
            (.failed("Connection refused", retryIn: 20), "journalctl -u \(unit)"),
            (.outOfReach, "another caster"),
        ] as [(CasterStatus, String)])
    func oneThatDoesNotWork(status: CasterStatus, advice: String) {
        let found = CorrectionsCheck.findings(in: Self.facts("\(status)"))
        #expect(found.count == 1 && found[0].verdict == .problem && found[0].what == "\(Self.unit): \(status)")
        #expect(found[0].advice?.contains(advice) == true, "\(found.text)")
    }

    @Test(arguments: [("failed", "has failed"), ("activating", "keeps failing")])
    func oneThatDoesNotRun(active: String, what: String) {
        let found = CorrectionsCheck.findings(in: Self.facts("", active: active))
        #expect(found.count == 1 && found[0].verdict == .problem && found[0].what.contains(what), "\(found.text)")
    }

    @Test func oneThatMayLackAGrant() {
        let found = CorrectionsCheck.findings(in: Self.facts("\(CasterStatus.awaitingLocation)"))
        #expect(found.count == 1 && found[0].verdict == .note)
        #expect(found[0].advice?.hasSuffix("$(id -u locationd-ntrip) service:locationd-ntrip@base`") == true)
    }

    /// The lines as the program writes them.
    private static func status(bytesPerSecond: Int, exceededLimit: Int? = nil) -> String {
        var reception = Reception(of: "BASE", at: 0)
        reception.exceededLimit = exceededLimit
        var delimiter = RTCMDelimiter()
        var line: String?
        let bytes = RTCMFrames.referencePoint
        delimiter.receive(bytes.span.bytes) { frame, _ in
            line = reception.add(frame, length: 5 * bytesPerSecond, at: 5)
        }
        return line ?? ""
    }

    @Test(arguments: [15, 35])
    func aStationThatIsTooFarAway(limit: Int) {
        let status = Self.status(bytesPerSecond: 100, exceededLimit: limit)
        let found = CorrectionsCheck.findings(in: Self.facts(status))
        #expect(found.count == 1 && found[0].verdict == .problem && found[0].what.contains("more than \(limit) km"))
        #expect(found[0].advice?.contains("setup --corrections") == true)
    }

    @Test(arguments: [(3400, "/dev/ttyUSB0", false), (3500, "/dev/ttyUSB0", true), (3500, "/dev/ttyACM0", false)])
    func aLineThatIsTooSlow(rate: Int, port: String, isSlow: Bool) {
        let status = Self.status(bytesPerSecond: rate)
        #expect(CorrectionsCheck.bytesPerSecond(in: status) == rate)
        var facts = Self.facts(status)
        facts.service.receivers?[0].port = port
        let found = CorrectionsCheck.findings(in: facts).filter { $0.verdict == .problem }
        #expect(found.count == (isSlow ? 1 : 0), "\(found.text)")
        #expect(!isSlow || found[0].advice?.contains("115,200") == true)
    }

    @Test func aReceiverWithoutAnInputForThem() {
        var facts = Self.facts("\(CasterStatus.unneeded)")
        facts.service.receivers = [Self.receiver(model: "MAX-M10S", firmware: "SPG 5.10")]
        let found = CorrectionsCheck.findings(in: facts).filter { $0.verdict != .ok }
        #expect(found.count == 1 && found[0].verdict == .problem && found[0].what.contains("MAX-M10S"), "\(found.text)")
        facts.service.receivers?[0].identity = nil
        let unasked = CorrectionsCheck.findings(in: facts).filter { $0.verdict != .ok }
        #expect(unasked.count == 1 && unasked[0].verdict == .note)
        #expect(unasked[0].advice?.contains("profile = \"auto\"") == true)
        facts.configured.add("[[receiver]]\nsource = \"usb:x\"\ncorrections = true\n", file: "")
        #expect(CorrectionsCheck.findings(in: facts).allSatisfy { $0.verdict == .ok })
        // Without an instance, nobody asks for corrections.
        facts.configured = ConfiguredSources()
        facts.system.units[Self.unit] = nil
        #expect(CorrectionsCheck.findings(in: facts).isEmpty)
    }
}
