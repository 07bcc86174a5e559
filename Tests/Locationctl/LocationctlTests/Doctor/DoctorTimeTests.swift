import LocationProtocol
import Testing

@testable import MachineDoctor

/// The findings of the doctor about the time for chrony.
@Suite struct DoctorTimeTests {
    private func findings(_ time: TimeStatistics?) -> [Finding] {
        var facts = DoctorSamples.healthy
        facts.service.time = time
        return Examination.findings(in: facts).filter { $0.what.contains("chrony") }
    }

    @Test func nothingIsSaidUnlessItIsConfigured() {
        #expect(findings(nil).isEmpty)
    }

    @Test func samplesThatAreSentAreInOrder() {
        let findings = findings(TimeStatistics(socket: "/run/chrony.locationd.sock", samples: 3))
        #expect(findings == [.ok("chrony gets the time of the receiver, at /run/chrony.locationd.sock")])
    }

    @Test func beforeTheFirstSampleThereIsANote() {
        #expect(findings(TimeStatistics(socket: "/a")).map(\.verdict) == [.note])
    }

    @Test func anAbsentSocketIsAProblemWithItsRemedy() {
        var time = TimeStatistics(socket: "/a", samples: 3)
        time.failure = "chronyd does not listen at /a"
        let findings = findings(time)
        #expect(findings.map(\.verdict) == [.problem])
        #expect(findings[0].what == "chrony gets no time from locationd: chronyd does not listen at /a")
        #expect(findings[0].advice?.contains("Time for chrony") == true)
    }
}
