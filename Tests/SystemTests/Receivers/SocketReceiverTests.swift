import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// A receiver at the Unix socket of another program: socat, as gnss-share and gps-share are.
@Suite(.timeLimit(.minutes(15))) struct SocketReceiverTests {
    @Test func aProgramIsConnectedToOnlyWhileAnAppAsksAndItsLocationsAreAnAccessorys() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/gnss.sock"
        let sentences = (0..<6).map { Sentences.epoch($0) }.joined()
        let log = try folder.write(sentences, to: "log.nmea")
        let daemon = try await TestDaemon(receivers: ["socket:\(path)"])
        try await daemon.grantSelf()
        let asked = folder.path + "/asked"
        let socat = try RunningProgram(
            "/usr/bin/socat",
            ["UNIX-LISTEN:\(path),fork", "SYSTEM:echo >> \(asked); while cat \(log); do sleep 1; done"])
        try await eventually("the socket") { FileManager.default.fileExists(atPath: path) }
        let summary = try await daemon.call(ListReceivers.self, .init()).receivers[0]
        #expect(summary.state == .stopped)
        #expect(summary.specification == "socket:\(path)")
        #expect(!FileManager.default.fileExists(atPath: asked))

        var updates = try await daemon.subscribe().makeAsyncIterator()
        while let update = try await updates.next()?.update {
            guard let location = update.location else { continue }
            #expect(location.accessory == true)
            #expect(location.receiver == "gnss.sock")
            break
        }
        #expect(FileManager.default.fileExists(atPath: asked))
        withExtendedLifetime(socat) {}
    }

    @Test func oneThatIsTakenOutOfTheConfigurationLeavesNothing() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/gnss.sock"
        let log = try folder.write((0..<6).map { Sentences.epoch($0) }.joined(), to: "log.nmea")
        let socat = try RunningProgram(
            "/usr/bin/socat", ["UNIX-LISTEN:\(path),fork", "SYSTEM:while cat \(log); do sleep 1; done"])
        try await eventually("the socket") { FileManager.default.fileExists(atPath: path) }
        let daemon = try await TestDaemon(
            receivers: [], configuration: "[[receiver]]\nsource = \"socket:\(path)\"\n")
        try await daemon.grantSelf()
        let updates = try await daemon.subscribe()
        #expect(try await updates.location() != nil)
        try "discover = false\n".write(toFile: daemon.configuration, atomically: true, encoding: .utf8)
        daemon.program.signal(SIGHUP)
        try await daemon.waitForReceivers([])
        try daemon.expectNoThreadOfDispatchs()
        withExtendedLifetime((socat, updates)) {}
    }

    @Test func aSocketThatIsNotThereIsLostWithTheReason() async throws {
        let folder = try TemporaryFolder()
        let daemon = try await TestDaemon(receivers: ["socket:\(folder.path)/gnss.sock"])
        try await daemon.grantSelf()
        let updates = try await daemon.subscribe()
        try await eventually("the loss") {
            let summary = try await daemon.call(ListReceivers.self, .init()).receivers[0]
            return summary.state == .lost && summary.message?.contains("is not there") == true
        }
        withExtendedLifetime(updates) {}
    }
}
