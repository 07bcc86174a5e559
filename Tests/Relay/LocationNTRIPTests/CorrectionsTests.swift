import Foundation
import LocationProtocol
import NTRIP
import TestSupport
import Testing

/// The bytes that reach the daemon, and the bytes that reach the caster.
@Suite(.timeLimit(.minutes(15))) struct CorrectionsTests {
    typealias Plan = CorrectionScene.Plan

    private static let frames =
        RTCMFrames.referencePoint + RTCMFrames.message(1077) + RTCMFrames.message(1087) + RTCMFrames.message(1230)
    private static let http = "HTTP/1.1 200 OK\r\nContent-Type: gnss/data\r\n"

    private static let streams: [(head: String, body: [UInt8])] = {
        let plain = [
            "ICY 200 OK\r\n", "ICY 200 OK\r\n\r\n", "ICY 200 OK\n", "ICY 200 OK\r\nServer: caster\r\n\r\n",
            "\(http)\r\n", "HTTP/1.0 200 OK\r\n\r\n",
        ]
        var chunked = Array("1\r\n".utf8)
        chunked += frames[..<1]
        chunked += Array("\r\n\(String(frames.count - 1, radix: 16))\r\n".utf8)
        chunked += frames[1...]
        return plain.map { ($0, frames) } + [("\(http)Transfer-Encoding: chunked\r\n\r\n", chunked)]
    }()

    @Test(arguments: streams)
    func framesArriveThoughEachByteIsASegmentOfItsOwn(head: String, body: [UInt8]) async throws {
        var plan = Plan(head, body)
        plan.split = true
        let scene = try await CorrectionScene(plan)
        try await scene.need(true)
        try await scene.wait(for: Self.frames)
        #expect(scene.received == Self.frames)
        #expect(scene.requests.count == 1)
        #expect(scene.requests.first?.hasPrefix("request GET /BASE HTTP/1.1|Host: 127.0.0.1:") == true)
        // Nothing but the request reaches the caster of a single base.
        #expect(!scene.caster.lines.contains { $0.hasPrefix("line") })
    }

    /// Attack: a caster, or another machine on the way to it, sends commands to the receiver.
    @Test func noCommandReachesTheDaemon() async throws {
        let commands: [[UInt8]] = [
            [0xB5, 0x62, 0x06, 0x04, 0x04, 0x00, 0xFF, 0xFF, 0x02, 0x00, 0x0E, 0x61], Array("$PMTK104*37\r\n".utf8),
            Array("AT+CFUN=0\r\n".utf8),
        ]
        var hostile: [UInt8] = []
        for command in commands {
            var broken = RTCMFrames.message(1077, content: [UInt8](repeating: 0, count: 20) + command)
            broken[broken.count - 1] ^= 1
            hostile += command + broken + RTCMFrames.message(1029, content: command)
            hostile += RTCMFrames.message(1077, content: [UInt8](repeating: 0, count: 20) + command)
            hostile += RTCMFrames.message(4072) + RTCMFrames.frame(command)
        }
        let scene = try await CorrectionScene(Plan("ICY 200 OK\r\n", hostile + Self.frames + hostile + Self.frames))
        try await scene.need(true)
        try await scene.wait(for: Self.frames + Self.frames)
        #expect(scene.received == Self.frames + Self.frames)
    }

    @Test func theNetworkIsTouchedOnlyWhileCorrectionsAreNeeded() async throws {
        let scene = try await CorrectionScene(Plan("ICY 200 OK\r\n", Self.frames))
        try await scene.need(false)
        #expect(scene.requests.isEmpty)
        try await scene.need(true)
        try await scene.wait(for: Self.frames)
        try await scene.need(false)
        try await eventually("the end of the connection") { scene.caster.lines.contains("closed") }
        #expect(scene.requests.count == 1)
    }

    @Test(arguments: [
        ("HTTP/1.1 401 Unauthorized\r\n\r\n", "does not accept the user and the password"),
        ("ERROR - Bad Password\r\n", "does not accept the user and the password"),
        ("SOURCETABLE 200 OK\r\n\r\nSTR;A;x;RTCM 3;\r\nENDSOURCETABLE\r\n", "no such mount point; it has A"),
        ("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n", "refers to another address"),
    ])
    func whatCannotSucceedIsNotRepeated(answer: String, reason: String) async throws {
        let scene = try await CorrectionScene(Plan(answer), credentials: ["user": "anna\n", "password": "secret\n"])
        try await scene.need(true)
        try await scene.waitForLog("Stopped: ")
        #expect(scene.program.errors.contains(reason))
        #expect(scene.program.errors.contains("without encryption"))
        #expect(!scene.program.errors.contains("secret") && !scene.program.errors.contains("YW5uYTpzZWNyZXQ="))
        #expect(scene.requests.count == 1 && scene.requests.first?.contains("Basic YW5uYTpzZWNyZXQ=") == true)
    }

    /// Ten seconds after the refusal, the list is read for the names that exist.
    @Test func theNamesThatExistAreSaidOnce() async throws {
        var plan = Plan("HTTP/1.1 404 Not Found\r\n\r\n")
        let rows = "STR;A;x;RTCM 3;\r\nSTR;B\u{1B}[2J;x;RTCM 3;\r\nSTR;C;x;RTCM 2.3;\r\n"
        plan.table = Plan.digits(Array("SOURCETABLE 200 OK\r\n\r\n\(rows)ENDSOURCETABLE\r\n".utf8))
        let scene = try await CorrectionScene(plan)
        try await scene.need(true)
        try await scene.waitForLog("Stopped: the caster has no such mount point; it has A")
        #expect(scene.requests.count == 2 && scene.requests.last?.hasPrefix("request GET / HTTP/1.1|") == true)
        #expect(!scene.program.errors.contains("\u{1B}") && !scene.program.errors.contains("A, "))
    }

    @Test func theReceiverIsNamedToTheDaemonWhichMayRefuseIt() async throws {
        let scene = try await CorrectionScene(
            Plan("ICY 200 OK\r\n", Self.frames), configuration: "position = \"none\"\nreceiver = \"deck\"\n")
        try await scene.report(.refused("there is no receiver deck;\u{1B} these take them: a\nb"))
        try await scene.waitForLog("no corrections: there is no receiver deck;\u{FFFD} these take them: a b")
        scene.read()
        #expect(scene.receiver == "deck" && scene.requests.isEmpty)
        try await scene.need(true)
        try await scene.wait(for: Self.frames)
    }

    /// The list for `locationctl setup`.
    @Test func theListIsPrinted() async throws {
        var plan = Plan("HTTP/1.1 404 Not Found\r\n\r\n")
        let rows = "STR;A;x;RTCM 3;;2;G;N;D;50;8;1;0;x;none;N;N;0;\r\nSTR;C;x;RTCM 2.3;\r\nSTR;D;x;RTCM32;\r\n"
        plan.table = Plan.digits(Array("SOURCETABLE 200 OK\r\n\r\n\(rows)ENDSOURCETABLE\r\n".utf8))
        let scene = try await CorrectionScene(plan)
        let list = try await Program.run(Program.path("locationd-ntrip"), ["list", scene.address])
        #expect(list.status == 0 && list.lines.count == 2, "\(list.output)\(list.errors)")
        let stations = try list.lines.map { try JSONDecoder().decode(Station.self, from: Data($0.utf8)) }
        #expect(stations.map(\.mount) == ["A", "D"] && stations.map(\.needsPosition) == [true, false])
        #expect(stations.map(\.place) == [Place(latitude: 50, longitude: 8), nil])
        #expect(scene.requests.first?.hasPrefix("request GET / HTTP/1.1|") == true)
        #expect(scene.requests.first?.contains("Authorization") == false)
        let none = try await Program.run(Program.path("locationd-ntrip"), ["list", "ntrip://127.0.0.1:1"])
        #expect(none.status == 1 && none.errors.hasPrefix("locationd-ntrip: "), "\(none.errors)")
    }

    @Test(arguments: [
        "HTTP/1.1 503 Busy\r\n\r\n", "SSH-2.0-OpenSSH\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8000000000000000\r\n",
    ])
    func afterAnotherFailureItWaits(answer: String) async throws {
        let scene = try await CorrectionScene(Plan(answer))
        try await scene.need(true)
        try await scene.waitForLog("no corrections: ")
        #expect(scene.received.isEmpty && scene.requests.count == 1)
    }

    /// Attack: a caster sends without end, to fill the memory or to keep the program busy.
    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n", "X: y\r\n", "headers are too long"), ("", "x", "headers are too long"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "0", "impossible size"),
    ])
    func endlessHeadersAreBounded(head: String, repeated: String, reason: String) async throws {
        var plan = Plan(head)
        plan.repeat = Plan.digits(Array(repeated.utf8))
        let scene = try await CorrectionScene(plan)
        try await scene.need(true)
        try await scene.waitForLog(reason)
        scene.read()
        #expect(scene.received.isEmpty)
        #expect(Sanitizer.isRunning || scene.peakMemory < 64_000, "\(scene.peakMemory) kB")
    }

    /// Attack: a caster sends as fast as it can, with false beginnings of frames, and one byte too many for each frame.
    @Test func aFloodIsBounded() async throws {
        var plan = Plan("ICY 200 OK\r\n")
        plan.repeat = Plan.digits([UInt8](repeating: 0xD3, count: 1000) + [0xD3, 0x03] + Self.frames)
        let scene = try await CorrectionScene(plan)
        try await scene.need(true)
        try await eventually("a hundred times the frames: \(scene.program.errors)") {
            scene.read()
            return scene.received.count >= 100 * Self.frames.count
        }
        #expect(scene.received.prefix(2 * Self.frames.count) == (Self.frames + Self.frames)[...])
        #expect(Sanitizer.isRunning || scene.peakMemory < 64_000, "\(scene.peakMemory) kB")
    }

    @Test(arguments: [false, true])
    func theCastersCertificateIsChecked(isExpired: Bool) async throws {
        let folder = try TemporaryFolder()
        let authority = try await TestAuthority(in: folder)
        let issued = try await authority.issue("caster", alternativeName: "IP:127.0.0.1", isExpired: isExpired)
        var plan = Plan("ICY 200 OK\r\n", Self.frames)
        (plan.certificate, plan.key, plan.split) = (issued.certificate, issued.key, true)
        let scene = try await CorrectionScene(
            plan, scheme: "ntrips", configuration: "position = \"none\"\nca = \"\(authority.certificate)\"\n",
            in: folder)
        try await scene.need(true)
        if isExpired {
            try await scene.waitForLog("certificate")
            #expect(scene.requests.isEmpty && scene.received.isEmpty)
        } else {
            try await scene.wait(for: Self.frames)
        }
    }

    /// The mount point that the table has without a need for a position, and no location from anywhere.
    @Test func theTableSaysThatNoPositionIsNeeded() async throws {
        var plan = Plan("ICY 200 OK\r\n", Self.frames)
        plan.table = Plan.digits(
            Array(
                """
                SOURCETABLE 200 OK\r
                Content-Type: text/plain\r
                \r
                STR;BASE;x;RTCM 3.2;;2;GPS;N;DEU;50;8;0;0;x;none;N;N;9600;\r
                ENDSOURCETABLE\r

                """.utf8))
        let scene = try await CorrectionScene(plan, configuration: "")
        try await scene.need(true)
        try await scene.wait(for: Self.frames)
        #expect(scene.requests.count == 2 && scene.requests.first?.hasPrefix("request GET / HTTP/1.1|") == true)
        // The standard's example is in another continent than the table's place.
        try await scene.waitForLog("km from where the caster's list has it")
    }
}
