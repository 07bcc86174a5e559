import Foundation
import LocationModel
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
        /// The messages of a second.
        var epoch: (Int) -> [UInt8] = { Array(Sentences.epoch($0).utf8) }
        private let answer: [UInt8]
        /// The receiver's time, which goes on from one wait to the next.
        private var second = 0

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
            try await eventually("\(what): \(daemon.log)") {
                wire.write(epoch(second))
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

    // MARK: What the receiver makes of them

    /// Returns the frames of a receiver that uses corrections: NAV-PVT and NAV-HPPOSLLH, and RXM-RTCM about the
    /// measurements.
    private static func precise(_ second: Int) -> [UInt8] {
        let time = UInt32(second * 1000)
        let position = NavigationPosition().with(\.timeOfWeek, time).with(\.flags, 0x83)
            .with(\.year, 2026).with(\.month, 6).with(\.day, 1).with(\.hour, UInt8(12 + second / 3600))
            .with(\.minute, UInt8(second / 60 % 60)).with(\.second, UInt8(second % 60)).with(\.speed, 0)
        var (precise, report) = (Payload(36), Payload(8))
        precise.set(4, time)
        precise.set(8, position.longitude)
        precise.set(12, position.latitude)
        precise.set(16, position.height)
        precise.set(20, position.altitude)
        precise.set(25, Int8(34))
        precise.set(28, UInt32(139))
        precise.set(32, UInt32(204))
        for (offset, byte) in [(0, 2), (1, 4)] { report.set(offset, UInt8(byte)) }
        report.set(4, UInt16(2003))
        report.set(6, UInt16(1077))
        return position.frame + ubx(0x01_14, precise.bytes) + ubx(0x02_32, report.bytes)
    }

    /// Returns the frames of a station that is 7.4 km to the north of that receiver, or farther.
    private static func station(further metres: Double = 0) -> [UInt8] {
        RTCMFrames.referencePoint(station: 2003, x: 4_281_021.6, y: 644_787.9, z: 4_668_681.5 + metres)
            + RTCMFrames.message(1077, station: 2003)
    }

    @Test func theCorrectionsAndTheirCentimetresAreShown() async throws {
        let scene = try await Scene(model: "ZED-F9P", firmware: "HPG 1.32")
        let daemon = scene.daemon
        scene.epoch = Self.precise
        let program = try scene.connect()
        var options = Options()
        // The receiver's hours at one place pass quickly.
        options.pausesAutomatically = false
        let updates = try await daemon.subscribe(options)
        try await scene.drive("the need") { need(program) == .needed }
        // Once corrections flow, the receiver is asked to report on them: VALGET of CFG-MSGOUT-UBX_RXM_RTCM_UART1.
        let question = ubx(0x06_8B, [0, 0, 0, 0, 0x69, 0x02, 0x91, 0x20])
        try await scene.drive("the question") {
            program.send(Self.station())
            return scene.written.contains(question)
        }
        func listed(forOthers: Bool = false) async throws -> CorrectionsReport? {
            try await daemon.call(ListReceivers.self, .init(forOthers: forOthers)).receivers[0].corrections
        }
        try await scene.drive("the report") {
            program.send(Self.station())
            let report = try await listed()
            return report?.solution == .rtkFixed && report?.rate != nil
        }
        let report = try #require(try await listed())
        #expect(report.station == 2003 && report.distance == 7400 && report.used == true)
        #expect(report.refused == 0 && report.faulty == 0 && report.age != nil)
        #expect(try await daemon.ctl("receivers").output.contains("RTK fixed, station 2003, 7.4 km, "))
        // Attack: a program without a grant follows the device by its distance to a public place.
        #expect(try await listed(forOthers: true) == nil)
        try await daemon.grantCtl()
        let watch = try daemon.startCtl("watch", "--json", "-n", "1")
        try await scene.drive("the end of watch") { watch.hasEnded }
        #expect(watch.output.contains(#""latitude":47.285211234"#), "\(watch.output)")
        #expect(watch.output.contains(#""horizontalAccuracy":0.0139"#), "\(watch.output)")
        withExtendedLifetime(updates) {}
    }

    /// Attack: intact frames with another reference point move the receiver's position.
    @Test func aReferencePointThatMovesMakesTheLocationSuspect() async throws {
        let scene = try await Scene(model: "ZED-F9P", firmware: "HPG 1.32")
        let program = try scene.connect()
        let updates = try await scene.daemon.subscribe()
        try await scene.drive("the need") { need(program) == .needed }
        program.send(Self.station())
        program.send(Self.station(further: 3000))
        try await scene.drive("the doubt") {
            try await scene.daemon.call(ListReceivers.self, .init()).receivers[0].doubts?.reasons == [.corrections]
        }
        #expect(scene.daemon.log.contains("the reference station of its corrections has moved"))
        withExtendedLifetime(updates) {}
    }

    @Test func withoutTheKeyThereIsNoSocket() async throws {
        let scene = try await Scene(model: "ZED-F9P", firmware: "HPG 1.32", corrections: "")
        #expect(throws: (any Error).self) { try scene.connect() }
    }

    private static let zeros = [UInt8](repeating: 0, count: 20)
}
