import Testing

@testable import MachineDoctor

/// The findings of the doctor about the instances of locationd-nmea.
@Suite struct DoctorNMEATests {
    private func findings(_ unit: String, active: String = "active", status: String = "") -> [Finding] {
        var facts = DoctorSamples.healthy
        facts.system.units[unit] = UnitFacts(name: unit, active: active, statusText: status)
        return NMEACheck.findings(in: facts)
    }

    @Test func withoutAnInstance() { #expect(NMEACheck.findings(in: DoctorSamples.healthy).isEmpty) }

    @Test(arguments: ["A program is reading /run/locationd-nmea/chart/tty", "Receiving from 192.168.1.20", ""])
    func anInstanceThatWorks(status: String) {
        let found = findings("locationd-nmea@chart.service", status: status)
        #expect(found.count == 1 && found[0].verdict == .ok, "\(found.text)")
    }

    @Test(arguments: [
        ("not authorized (notDetermined)", Finding.Verdict.problem), ("not authorized (denied)", .note),
    ])
    func oneWithoutAGrant(reason: String, verdict: Finding.Verdict) {
        let found = findings("locationd-nmea-network@boat.service", status: "Not serving: \(reason)")
        #expect(found.count == 1 && found[0].verdict == verdict, "\(found.text)")
        #expect(
            found[0].advice
                == "`sudo locationctl grant --always --uid $(id -u locationd-nmea-network) service:locationd-nmea-network@boat`"
        )
    }

    @Test(arguments: [
        ("active", "Cannot listen at udp://0.0.0.0:10110: Address already in use", "Cannot listen at"),
        ("failed", "", "has failed"), ("activating", "", "keeps failing"),
    ])
    func oneThatDoesNotWork(active: String, status: String, what: String) {
        let found = findings("locationd-nmea-receive@phone.service", active: active, status: status)
        #expect(found.count == 1 && found[0].verdict == .problem && found[0].what.contains(what), "\(found.text)")
        #expect(found[0].advice?.contains("journalctl -u locationd-nmea-receive@phone.service") == true)
    }

    /// Its socket starts it.
    @Test func oneThatNobodyNeeds() {
        #expect(findings("locationd-nmea-receive@phone.service", active: "inactive").isEmpty)
    }
}
