import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Failures of a receiver on a serial port.
@Suite(.timeLimit(.minutes(15))) struct SerialFailureTests {
    /// The updates of a stream.
    private typealias Updates = VarlinkStream<Subscribe.Reply>.Iterator

    private func next(_ event: UpdateEvent, in updates: inout Updates) async throws -> Update {
        while let reply = try await updates.next() {
            if let update = reply.update, update.event == event { return update }
        }
        throw Overdue(what: "\(event)")
    }

    private func eventuallyState(_ state: ReceiverStatus, of daemon: TestDaemon) async throws {
        try await eventually("the receiver to be \(state)") {
            try await daemon.call(ListReceivers.self, .init()).receivers[0].state == state
        }
    }

    @Test func garbageAndBinaryOnThePort() async throws {
        let wire = try Wire(sendsTexts: true)
        let daemon = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await daemon.grantSelf()
        var updates = try await daemon.subscribe().makeAsyncIterator()
        try await eventuallyState(.searching, of: daemon)
        // A linear congruential generator (Knuth's MMIX constants), for the same garbage in each run.
        var state: UInt64 = 42
        func randomByte() -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(state >> 56)
        }
        for epoch in 0..<20 {
            wire.write((0..<500).map { _ in randomByte() })
            wire.write("$GPRMC,999999,A,9999.9,N*00\r\n$\u{0}\u{0}" + String(repeating: "$GPGGA,", count: 100))
            wire.write("\r\n" + Sentences.epoch(epoch))
            let update = try await next(.location, in: &updates)
            #expect(update.location?.timestamp.description == Sentences.timestamp(epoch))
        }
    }

    @Test func aPortThatVanishesAndComesBack() async throws {
        var wire = try Wire()
        let folder = try TemporaryFolder()
        let link = folder.path + "/gps"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: wire.path)
        let daemon = try await TestDaemon(receivers: ["serial:\(link)@9600"])
        try await daemon.grantSelf()
        var updates = try await daemon.subscribe().makeAsyncIterator()
        // The receiver is lost, and opened again, if this test is held up for five seconds before it sends something.
        try await eventuallyState(.running, of: daemon, writing: wire, from: 0)
        _ = try await next(.location, in: &updates)

        wire.unplug()
        try FileManager.default.removeItem(atPath: link)
        _ = try await next(.receiverLost, in: &updates)

        wire = try Wire()
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: wire.path)
        try await eventuallyState(.running, of: daemon, writing: wire, from: 20_000)
        _ = try await next(.receiverFound, in: &updates)
        _ = try await next(.location, in: &updates)
    }

    /// Writes epochs until the receiver is running, since it is opened again at a time of its own choice.
    private func eventuallyState(
        _ state: ReceiverStatus, of daemon: TestDaemon, writing wire: Wire, from first: Int = 100
    ) async throws {
        var second = first
        try await eventually("the receiver to be \(state)") {
            wire.offer(Sentences.epoch(second))
            second += 1
            return try await daemon.call(ListReceivers.self, .init()).receivers[0].state == state
        }
    }

    @Test func aBusyPortIsNamedWithItsHolder() async throws {
        let wire = try Wire(sendsTexts: true)
        let holder = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await holder.grantSelf()
        let stream = try await holder.subscribe()
        try await eventuallyState(.searching, of: holder)

        let second = try await TestDaemon(receivers: ["serial:\(wire.path)@9600"])
        try await second.grantSelf()
        var updates = try await second.subscribe().makeAsyncIterator()
        _ = try await next(.receiverLost, in: &updates)
        let message = try await second.call(ListReceivers.self, .init()).receivers[0].message ?? ""
        #expect(message.contains(wire.path) && message.contains("locationd"), "\(message)")

        // The second daemon retries, and gets the port when the holder is gone.
        holder.program.signal(SIGTERM)
        _ = try await holder.program.end()
        try await eventuallyState(.running, of: second, writing: wire)
        withExtendedLifetime(stream) {}
    }

    @Test func aPortThatIsNotThereIsRetried() async throws {
        let daemon = try await TestDaemon(receivers: ["serial:/nonexistent/ttyGPS0"])
        try await daemon.grantSelf()
        var updates = try await daemon.subscribe().makeAsyncIterator()
        _ = try await next(.receiverLost, in: &updates)
        try await daemon.waitForLog("/nonexistent/ttyGPS0")
        #expect(try await daemon.ctl("receivers").output.contains("lost"))
        let doctor = try await daemon.ctl("doctor")
        #expect(doctor.status == 1)
        #expect(doctor.output.contains("/nonexistent/ttyGPS0"))
    }

    /// Root may open every port, so the daemon runs as nobody here. An ordinary user is refused anyway.
    @Test(.enabled(if: getuid() != 0 || PeersService.nobodyCanRunIt, "needs a build that others may run"))
    func aPortThatMayNotBeOpenedNamesTheGroup() async throws {
        let wire = try Wire()
        chmod(wire.path, 0)
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o777)
        let drop = getuid() == 0 ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
        let command =
            drop + [
                Program.path("locationd"), "--runtime-directory", folder.path + "/run", "--state-directory",
                folder.path + "/state", "--config", folder.path + "/none.toml", "--receiver",
                "serial:\(wire.path)@9600",
            ]
        try "".write(toFile: folder.path + "/none.toml", atomically: true, encoding: .utf8)
        let daemon = try RunningProgram(command[0], Array(command.dropFirst()))
        defer { daemon.signal(SIGKILL) }
        try await eventually("the sockets") {
            if daemon.hasEnded { throw Overdue(what: "locationd: \(daemon.errors)") }
            return FileManager.default.fileExists(atPath: folder.path + "/run/manage/io.locationd.Manage")
        }
        let socket = try RawSocket(folder.path + "/run/io.locationd.Location")
        // Whether the daemon can identify this client depends on the user. Here it only matters that the port is opened
        // for an app.
        let own = Program.path("locationctl")
        let watch = try RunningProgram(
            drop.first ?? own, drop.isEmpty ? ["watch"] : Array(drop.dropFirst()) + [own, "watch"],
            environment: ["LOCATIOND_RUNTIME_DIRECTORY": folder.path + "/run"])
        defer { watch.signal(SIGKILL) }
        try await eventually("the request") { watch.errors.contains("grant ") }
        let app = watch.errors.split(separator: "grant ")[1].split(separator: " ")[0]
        let grant =
            "{\"method\":\"io.locationd.Manage.Grant\",\"parameters\":{\"level\":\"whenInUse\",\"uid\":"
            + "\(getuid() == 0 ? 65534 : Int(getuid())),\"app\":\"\(app)\"}}"
        let answer = try await RawSocket(folder.path + "/run/manage/io.locationd.Manage").exchange(grant)
        #expect(answer.contains("authorizedWhenInUse"))
        try await eventually("the refusal in the log") { daemon.errors.contains(wire.path) }
        #expect(daemon.errors.contains("not permitted"), "\(daemon.errors)")
        #expect(daemon.errors.contains("group"), "\(daemon.errors)")
        withExtendedLifetime(socket) {}
    }
}
