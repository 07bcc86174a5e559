import Foundation
import TestSupport
import Testing

@testable import LocationctlSupport
@testable import MachineDoctor

/// The doctor's queries to other processes.
@Suite(.timeLimit(.minutes(15))) struct DoctorSurveyTests {
    @Test func programsAreRunForWhatTheyPrint() throws {
        let result = try #require(ChildProcess.run("sh", ["-c", "echo out; echo error >&2; exit 3"]))
        #expect(result.status == 3)
        #expect(result.output == "out\n")
        #expect(result.errors == "error\n")
        #expect(ChildProcess.run("/nonexistent/program", []) == nil)
        #expect(ChildProcess.run("sh", ["-c", "kill -9 $$"]) == nil)
    }

    @Test func theHolderOfAPort() async throws {
        let wire = try Wire()
        #expect(PortFacts(path: wire.path).holder == nil)
        let program = try RunningProgram("/bin/sh", ["-c", "exec sleep infinity < \(wire.path)"])
        defer { program.signal(SIGKILL) }
        try await eventually("the holder") {
            let holder = PortFacts(path: wire.path).holder
            return holder?.name == "sleep" && holder?.pid == Int(program.processIdentifier)
        }
    }
}
