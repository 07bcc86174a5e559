import Foundation
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// The way of corrections through the real daemon, to a receiver that is a wire of the test's.
@Suite(.timeLimit(.minutes(15))) struct CorrectionsTests {
    private static let frames = RTCMFrames.referencePoint + RTCMFrames.message(1077) + RTCMFrames.message(1230)

    /// A daemon with a receiver that answers who it is.
    final class Scene {
        let wire: Wire
        let daemon: TestDaemon
        private(set) var written: [UInt8] = []
        private let answer: [UInt8]

        init(
            model: String, firmware: String, corrections: String = "[corrections]\nenabled = true\n",
            profile: String = "profile = \"ublox\""
        ) async throws {
            wire = try Wire(sendsTexts: true)
            let extensions = ["FWVER=\(firmware)", "PROTVER=27.31", "MOD=\(model)"]
            let texts = [("EXT CORE 1.00", 30), ("00190000", 10)] + extensions.map { ($0, 30) }
            answer = ubx(0x0A_04, texts.flatMap { Array($0.utf8) + [UInt8](repeating: 0, count: $1 - $0.utf8.count) })
            daemon = try await TestDaemon(
                receivers: [],
                configuration: """
                    \(corrections)
                    [[receiver]]
                    source = "serial:\(wire.path)@115200"
                    name = "deck"
                    \(profile)

                    """)
            try await daemon.grantSelf()
        }

        /// Answers as the receiver does, until something has happened.
        func drive(_ what: String, until isDone: () async throws -> Bool) async throws {
            var second = 0
            try await eventually("\(what): \(daemon.log)") {
                wire.write(Sentences.epoch(second))
                second += 1
                let count = written.count
                written += try wire.available()
                if written[max(0, count - 7)...].contains(Self.question) { wire.write(answer) }
                return try await isDone()
            }
        }

        /// UBX-MON-VER without a payload.
        private static let question: [UInt8] = ubx(0x0A_04, [])

        /// Connects as the program does, for the corrections of a receiver.
        func connect(receiver: String? = nil) throws -> RawSocket {
            let socket = try RawSocket(CorrectionsSocket.path(in: daemon.runtime))
            socket.send(CorrectionsSocket.greeting(receiver: receiver))
            return socket
        }
    }

    /// Returns the last need that the daemon has reported, or `nil` if there is none.
    private func need(_ socket: RawSocket) -> CorrectionsSocket.Need? {
        var bytes = [UInt8](repeating: 0, count: 2048)
        let count = recv(socket.descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
        var reader = CorrectionsSocket.NeedReader()
        return bytes.prefix(max(0, count)).compactMap { reader.receive($0) }.last
    }

    @Test func framesReachAReceiverThatTakesThemWhileAnAppNeedsThem() async throws {
        let scene = try await Scene(model: "ZED-F9P", firmware: "HPG 1.32")
        let program = try scene.connect()
        try await eventually("a byte") { need(program) == .unneeded }
        var updates: VarlinkStream<Subscribe.Reply>? = try await scene.daemon.subscribe()
        withExtendedLifetime(updates) {}
        try await scene.drive("the need") { need(program) == .needed }
        for byte in Self.frames { program.send([byte]) }
        try await scene.drive("the frames") { scene.written.contains(Self.frames) }
        updates = nil
        try await eventually("the end of the need") { need(program) == .unneeded }
    }

    @Test func onlyTheNamedReceiverGetsThem() async throws {
        let scene = try await Scene(model: "ZED-F9P", firmware: "HPG 1.32")
        let updates = try await scene.daemon.subscribe()
        let programs = try ["deck", "mast"].map { try scene.connect(receiver: $0) }
        try await scene.drive("the need") { need(programs[0]) == .needed }
        let refusal = "there is no receiver mast; these take them: deck"
        try await scene.drive("a refusal") { need(programs[1]) == .refused(refusal) }
        programs[1].send(RTCMFrames.message(1087))
        programs[0].send(Self.frames)
        try await scene.drive("the frames") { scene.written.contains(Self.frames) }
        #expect(!scene.written.contains(RTCMFrames.message(1087)))
        withExtendedLifetime(updates) {}
    }

    /// A receiver whose maker's question is not known, such as a UM980, by the word of its owner.
    @Test func aReceiverThatTheOwnerNamesGetsThemAndNothingElse() async throws {
        let scene = try await Scene(model: "", firmware: "", profile: "corrections = true")
        let program = try scene.connect()
        let updates = try await scene.daemon.subscribe()
        try await scene.drive("the need") { need(program) == .needed }
        program.send(RTCMFrames.message(1029) + Self.frames)
        try await scene.drive("the frames") { scene.written.count >= Self.frames.count }
        #expect(scene.written == Self.frames)
        withExtendedLifetime(updates) {}
    }

    /// Attack: the first line never ends, to fill the memory.
    @Test func aFirstLineIsBounded() async throws {
        let scene = try await Scene(model: "ZED-F9P", firmware: "HPG 1.32")
        let program = try RawSocket(CorrectionsSocket.path(in: scene.daemon.runtime))
        program.send([UInt8](repeating: UInt8(ascii: "x"), count: CorrectionsSocket.maximumName + 1))
        try await program.waitUntilClosed()
    }

    /// Attack: the program was taken over, and writes commands to the receiver.
    @Test func nothingElseReachesTheReceiver() async throws {
        let scene = try await Scene(model: "ZED-F9P", firmware: "HPG 1.32")
        let updates = try await scene.daemon.subscribe()
        let reset: [UInt8] = ubx(0x06_04, [0xFF, 0xFF, 0x02, 0x00])
        let hostile: [[UInt8]] = [
            reset, Array("$PMTK104*37\r\n".utf8), RTCMFrames.referencePoint + reset, [0xD3, 0xFF] + reset,
        ]
        for bytes in hostile {
            let program = try scene.connect()
            try await scene.drive("the need") { need(program) == .needed }
            program.send(bytes)
            try await program.waitUntilClosed()
        }
        let program = try scene.connect()
        try await scene.drive("the need") { need(program) == .needed }
        program.send(RTCMFrames.message(1029, content: reset) + RTCMFrames.message(1077, content: Self.zeros + reset))
        program.send(Self.frames)
        try await scene.drive("the frames") { scene.written.contains(Self.frames) }
        #expect(!scene.written.contains(reset) && !scene.written.contains(Array("$PMTK".utf8)))
        #expect(scene.daemon.log.contains("something else than RTCM 3"))
        withExtendedLifetime(updates) {}
    }

    /// Attack: bytes for a receiver that does not read RTCM 3 may mean something else to it.
    @Test func aReceiverThatDoesNotTakeThemGetsNone() async throws {
        let scene = try await Scene(model: "MAX-M10S", firmware: "SPG 5.10")
        let program = try scene.connect()
        let updates = try await scene.daemon.subscribe()
        try await scene.drive("the identity") {
            try await scene.daemon.ctl("receivers", "--json").output.contains("MAX-M10S")
        }
        program.send(Self.frames)
        var epochs = 0
        try await scene.drive("ten epochs") {
            epochs += 1
            return epochs > 10
        }
        #expect(!scene.written.contains(RTCMFrames.referencePoint) && need(program) == .unneeded)
        let named = try scene.connect(receiver: "deck")
        let refusal = "the receiver deck takes no corrections; no other one is known to take them"
        try await scene.drive("a refusal") { need(named) == .refused(refusal) }
        withExtendedLifetime(updates) {}
    }

    /// Attack: a user of this machine moves the receiver's position by corrections.
    @Test(.enabled(if: getuid() == 0)) func onlyANamedUserMayWriteThem() async throws {
        let scene = try await Scene(
            model: "ZED-F9P", firmware: "HPG 1.32", corrections: "[corrections]\nenabled = true\nuser = 4711\n")
        chmod(scene.daemon.folder.path, 0o755)
        let path = CorrectionsSocket.path(in: scene.daemon.runtime)
        let script = """
            import socket
            s = socket.socket(socket.AF_UNIX)
            s.connect('\(path)')
            try:
                s.send(b'\\n')
                print(len(s.recv(1)))
            except OSError:
                print(0)
            """
        for (user, bytes) in [(4711, "1"), (4712, "0")] {
            let result = try await Program.run(
                "/usr/bin/setpriv",
                ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", "/usr/bin/python3", "-c", script])
            #expect(result.lines == [bytes], "\(result.errors)")
        }
        try await scene.daemon.waitForLog("user 4712 may not write corrections")
    }

    /// Attack: a caster gets the position through a program that may not have it.
    @Test func aCasterGetsThePositionOnlyOnceItIsGranted() async throws {
        let scene = try await Scene(model: "ZED-F9P", firmware: "HPG 1.32")
        let port = try ReservedPort()
        let answer = Array("ICY 200 OK\r\n".utf8) + Self.frames
        let digits = answer.map { String(Int($0) + 0x100, radix: 16).dropFirst() }.joined()
        let caster = try RunningProgram(
            "/usr/bin/python3",
            ["-c", Program.script("Servers/ntrip_caster"), "\(port.number)", "{\"answer\": \"\(digits)\"}"])
        try await eventually("the caster: \(caster.errors)") { caster.lines.contains("listening") }
        let app = try await FixtureApp("locationd-ntrip", scene.daemon)
        let file = try app.folder.write(
            "caster = \"ntrip://127.0.0.1:\(port.number)/VRS\"\nposition = \"full\"\n", to: "base.toml")
        let program = try app.start("--config", file, "--log-level", "debug")
        let updates = try await scene.daemon.subscribe()
        try await scene.drive("a prompt: \(program.errors)") { program.errors.contains("there is no decision yet") }
        #expect(!caster.lines.contains { $0.hasPrefix("request") })
        _ = try await scene.daemon.ctl("grant", app.app, "--always")
        try await scene.drive("the position: \(program.errors)") { caster.lines.contains { $0.hasPrefix("line") } }
        let position = try #require(caster.lines.first { $0.hasPrefix("line") })
        let fields = position.split(separator: ",", omittingEmptySubsequences: false)
        #expect(fields[0] == "line $GPGGA" && fields[2].hasPrefix("473") && fields[4] == "00845.0000")
        #expect(fields[6...8] == ["1", "10", "1.0"] && fields.count == 15)
        try await scene.drive("the frames: \(program.errors)") { scene.written.contains(Self.frames) }
        withExtendedLifetime(updates) {}
    }

    @Test func withoutTheKeyThereIsNoSocket() async throws {
        let scene = try await Scene(model: "ZED-F9P", firmware: "HPG 1.32", corrections: "")
        #expect(throws: (any Error).self) { try scene.connect() }
    }

    private static let zeros = [UInt8](repeating: 0, count: 20)
}
