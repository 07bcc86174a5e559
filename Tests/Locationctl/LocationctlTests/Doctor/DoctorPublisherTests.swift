import LocationModel
import Testing

@testable import MachineDoctor

/// The findings of the doctor about the package locationd-publish.
@Suite struct DoctorPublisherTests {
    typealias Case = DoctorChecksTests.Case
    private static let unit = "locationd-publish.service"

    @Test func aPublisherThatIsConnected() {
        let findings = Examination.findings(in: DoctorSamples.withPublisher)
        #expect(findings.allSatisfy { $0.verdict == .ok && $0.advice == nil }, "\(findings.text)")
        #expect(findings.contains(.ok("\(Self.unit): Connected to mqtts://broker.example:8883; 0 reports wait")))
    }

    @Test func withoutThePackage() {
        #expect(PublisherCheck.findings(in: DoctorSamples.healthy) == [])
        var privately = DoctorSamples.withPublisher
        privately.isInstalled = false
        #expect(PublisherCheck.findings(in: privately) == [])
    }

    /// An ordinary user sees neither the grant nor, perhaps, the faults of the configuration.
    @Test func whatIsNotKnownIsNotFound() {
        var facts = DoctorSamples.withPublisher
        facts.publisher.status = nil
        facts.publisher.configurationError = nil
        facts.system.units[Self.unit] = nil
        #expect(PublisherCheck.findings(in: facts) == [])
    }

    @Test(arguments: [
        Case("not configured", .note, "there is no /etc/locationd/publish.toml", "examples/publish.toml") {
            $0.publisher.isConfigured = false
        },
        Case("wrong", .problem, "is wrong: /etc/locationd/publish.toml:1: broker: x", "restart locationd-publish") {
            $0.publisher.configurationError = "/etc/locationd/publish.toml:1: broker: x"
        },
        Case("not granted", .problem, "service:locationd-publish has no grant", "grant --always --uid") {
            $0.publisher.status = .notDetermined
        },
        Case("in use only", .problem, "only while it is in use", "grant --always --uid") {
            $0.publisher.status = .authorizedWhenInUse
        },
        Case("denied", .note, "was denied the location", "grant --always --uid") { $0.publisher.status = .denied },
        Case("restricted", .note, "forbids service:locationd-publish", "[[restricted]]") {
            $0.publisher.status = .restricted
        },
        Case("no connection", .problem, "No connection to mqtt://b: refused; 12 reports wait", "journalctl") {
            $0.system.units[unit]?.statusText = "No connection to mqtt://b: refused; 12 reports wait"
        },
        Case("left alone", .problem, "Nothing is sent to https://s:443: status 401; 12 reports wait", "journalctl") {
            $0.system.units[unit]?.statusText = "Nothing is sent to https://s:443: status 401; 12 reports wait"
        },
        Case("refused", .note, "3 that the server has refused are set aside", "locationd-publish(8)") {
            $0.system.units[unit]?.statusText =
                "Connected to https://s:443; 0 reports wait; 3 that the server has refused are set aside"
        },
        Case("failed", .problem, "has failed", "journalctl") { $0.system.units[unit]?.active = "failed" },
        Case("restarting", .problem, "keeps failing to start", "journalctl") {
            $0.system.units[unit]?.active = "activating"
        },
        Case("stopped", .problem, "is not running", "enable --now locationd-publish") {
            $0.system.units[unit]?.active = "inactive"
        },
    ]) func isFound(_ example: Case) throws {
        var facts = DoctorSamples.withPublisher
        example.change(&facts)
        let findings = Examination.findings(in: facts).filter { $0.verdict != .ok }
        let found = try #require(findings.first { $0.what.contains(example.what) }, "\(findings.text)")
        #expect(found.verdict == example.verdict)
        #expect((found.advice ?? "").contains(example.advice), "\(found)")
    }
}
