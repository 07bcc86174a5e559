import LocationProtocol
import Testing

@testable import MachineDoctor

/// The findings of the doctor about the packages locationd-gpsd and locationd-geoclue.
@Suite struct DoctorFrontsTests {
    typealias Case = DoctorChecksTests.Case

    private func findings(in facts: Facts) -> [Finding] {
        Examination.findings(in: facts).filter { $0.verdict != .ok }
    }

    @Test func aHealthyMachineHasNoFindings() {
        let findings = Examination.findings(in: DoctorSamples.withFronts)
        #expect(findings.allSatisfy { $0.verdict == .ok && $0.advice == nil }, "\(findings.text)")
        #expect(findings.contains(.ok("locationd has GeoClue's name on the system bus")))
        #expect(findings.contains(.ok("locationd-gpsd.socket serves clients of gpsd")))
    }

    @Test(arguments: gpsd + geoClue)
    func isFound(_ example: Case) throws {
        var facts = DoctorSamples.withFronts
        example.change(&facts)
        let findings = findings(in: facts)
        let found = try #require(findings.first { $0.what.contains(example.what) }, "\(findings.text)")
        #expect(found.verdict == example.verdict)
        #expect((found.advice ?? "").contains(example.advice), "\(found)")
    }

    static let gpsd = [
        Case("gpsd has the port", .problem, "locationd-gpsd.socket is not listening", "stop gpsd.socket gpsd.service") {
            $0.system.units["locationd-gpsd.socket"]?.active = "failed"
            $0.system.isGPSDRunning = true
        },
        Case("gpsd.socket has the port", .problem, "locationd-gpsd.socket is not listening", "stop gpsd.socket") {
            $0.system.units["locationd-gpsd.socket"]?.active = "failed"
            $0.system.units["gpsd.socket"]?.active = "active"
        },
        Case("another program has the port", .problem, "locationd-gpsd.socket is not listening", "sport = :2947") {
            $0.system.units["locationd-gpsd.socket"]?.active = "failed"
        },
        Case("without sockets", .problem, "locationd-gpsd.socket is not listening", "enable locationd-gpsd.socket") {
            $0.system.units["locationd-gpsd.socket"]?.active = "inactive"
        },
        Case("without IPv6's socket", .problem, "locationd-gpsd-ipv6.socket is not listening", "restart locationd") {
            $0.system.units["locationd-gpsd-ipv6.socket"]?.active = "inactive"
        },
        Case("gpsd.socket beside it", .problem, "gpsd.socket is open beside locationd-gpsd.socket", "another port") {
            $0.system.units["gpsd.socket"]?.active = "active"
            $0.system.units["gpsd.socket"]?.listens = ["/run/gpsd.sock", "[::1]:2947", "127.0.0.1:2947"]
        },
        Case("reads from itself", .problem, "where it serves clients of gpsd itself", "gpsd:localhost:2948") {
            $0.service.receivers?.append(DoctorSamples.receiver("gpsd:", port: nil))
        },
    ]

    static let geoClue = [
        Case("another owner", .problem, "geoclue (process 4711) has GeoClue's name", "stop geoclue.service") {
            $0.geoClue.owner = .init(name: "geoclue", pid: 4711, uid: 120)
        },
        Case("no owner", .problem, "does not have GeoClue's name", "reload dbus") { $0.geoClue.owner = nil },
        Case("no activation", .problem, "does not start locationd for apps that use GeoClue", "--reinstall") {
            $0.geoClue.activatedUnit = nil
        },
        Case("another's activation", .problem, "starts geoclue.service, not locationd", "--reinstall") {
            $0.geoClue.activatedUnit = "geoclue.service"
        },
        Case("no policy", .problem, "lets locationd have GeoClue's name", "--reinstall") {
            ($0.geoClue.owner, $0.geoClue.isNamePermitted) = (nil, false)
        },
        Case("no agent policy", .problem, "read the desktop's location switch", "--reinstall") {
            $0.geoClue.isAgentPermitted = false
        },
        Case("Wi-Fi positions are lost", .note, "knows no other way to a location", "apt install geoclue-2.0") {
            $0.service.receivers?[0].state = .searching
        },
        Case("Firefox asks elsewhere", .note, "Firefox asks a web service", "geo.provider.network.url") {
            $0.geoClue.isFirefoxAskingWebService = true
        },
        Case("the portal is exact", .note, "may have the exact location", "--always --reduced") {
            $0.service.exactPortal = "exe:/usr/libexec/xdg-desktop-portal"
        },
    ]

    /// A fault has one finding: without the policy, the name cannot be acquired.
    @Test func aMissingPolicyIsTheOneFault() {
        var facts = DoctorSamples.withFronts
        (facts.geoClue.owner, facts.geoClue.isNamePermitted) = (nil, false)
        #expect(findings(in: facts).count == 1)
    }

    /// The daemon that is not running acquires the name when the bus starts it.
    @Test func aDaemonThatIsNotRunningNeedsNoName() {
        var facts = DoctorSamples.withFronts
        facts.geoClue.owner = nil
        facts.system.units["locationd.service"]?.active = "inactive"
        #expect(findings(in: facts).isEmpty)
    }

    @Test func aMachineWithoutIPv6NeedsOneSocket() {
        var facts = DoctorSamples.withFronts
        facts.system.hasIPv6 = false
        facts.system.units["locationd-gpsd-ipv6.socket"]?.active = "inactive"
        #expect(findings(in: facts).isEmpty)
    }

    @Test func gpsdOnAnotherPortMayBeAReceiver() {
        var facts = DoctorSamples.withFronts
        facts.service.receivers = [DoctorSamples.receiver("gpsd:localhost:2948", port: nil)]
        facts.system.units["gpsd.socket"]?.active = "active"
        facts.system.units["gpsd.socket"]?.listens = ["/run/gpsd.sock", "127.0.0.1:2948"]
        #expect(findings(in: facts).isEmpty)
    }

    @Test func nothingIsSaidAboutPackagesThatAreNotInstalled() {
        var facts = DoctorSamples.healthy
        facts.geoClue.owner = .init(name: "geoclue", pid: 4711, uid: 120)
        for name in ["locationd-gpsd.socket", "locationd-gpsd-ipv6.socket"] {
            facts.system.units[name] = UnitFacts(name: name, load: "not-found", active: "inactive")
        }
        facts.system.units["gpsd.socket"] = UnitFacts(name: "gpsd.socket", listens: ["127.0.0.1:2947"])
        #expect(findings(in: facts).isEmpty)
    }
}
