import Foundation
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Requests of gpsd's protocol, and the devices that it lists, with the real daemon.
@Suite(.timeLimit(.minutes(15))) struct GPSDClientRequestTests {
    /// OpenCPN's request has no semicolon and no line end: waiting for one would hang it.
    @Test func aRequestWithoutALineEnd() async throws {
        let front = try await GPSDFrontDaemon()
        try await front.grantSelf()
        let client = try await front.connect()
        client.send(#"?WATCH={"class":"WATCH", "nmea":true}"#)
        #expect(try await client.report("DEVICES").list("devices").count == 1)
        let policy = try await client.report("WATCH")
        #expect(policy.fields["nmea"] as? Bool == true && policy.fields["json"] as? Bool == false)
        let second = try await front.pass()
        let time = Sentences.timestamp(second).dropFirst(11).prefix(8).filter(\.isNumber)
        let sentence = try await client.report("a sentence") { $0.line.hasPrefix("$GPRMC,\(time).00,A,") }
        #expect(Sentences.epoch(second).hasPrefix(sentence.line), "as the receiver sent it: \(sentence.line)")
    }

    @Test(arguments: ["?DEVICES;?VERSION;", "?DEVICES;\n?VERSION;\n", "?DEVICES;\r\n?VERSION;\r\n"])
    func severalRequestsAtOnceAndByteByByte(requests: String) async throws {
        let front = try await GPSDFrontDaemon()
        let whole = try await front.connect()
        whole.send(requests)
        #expect(try await whole.report("DEVICES").list("devices").count == 1)
        #expect(try await whole.line() == GPSDConnection.version)
        let pieces = try await front.connect()
        for byte in requests.utf8 { pieces.socket.send([byte]) }
        #expect(try await pieces.report("DEVICES").list("devices").count == 1)
        #expect(try await pieces.line() == GPSDConnection.version)
    }

    @Test func aPoll() async throws {
        let front = try await GPSDFrontDaemon()
        let client = try await front.connect()
        client.send("?POLL;")
        let idle = try await client.report("POLL")
        #expect(idle.line.hasSuffix(#","active":0,"tpv":[],"gst":[],"sky":[]}"#), "\(idle.line)")
        try await front.grantSelf()
        // gpsd-py3's policy: no reports unless they are asked for.
        client.send("?WATCH={\"enable\":true}\n")
        #expect(try await client.line().hasPrefix(#"{"class":"DEVICES","devices":["#))
        #expect(try await client.line().hasPrefix(#"{"class":"WATCH","enable":true,"json":false,"#))
        try await front.pass()
        var poll: GPSDReport?
        try await front.passEpochs(until: "a poll with a fix") {
            client.send("?POLL;\n")
            let report = GPSDReport(try await client.line())
            poll = report
            return report.list("tpv").last?["mode"] as? Int == 3
        }
        let report = try #require(poll)
        #expect(report.fields["active"] as? Int == 1)
        #expect(report.list("tpv").last?["lat"] is Double)
        #expect(!report.list("sky").isEmpty, "gpsd-py3 reads the last one")
    }

    /// A client cannot change a receiver: not its speed, not its protocol, not with bytes of its own.
    @Test func nothingIsWrittenToTheReceiver() async throws {
        let front = try await GPSDFrontDaemon()
        try await front.grantSelf()
        let client = try await front.watching()
        try await front.pass()
        let terminal = try #require(front.wire.terminal)
        for request in [
            #"?DEVICE={"path":"\#(front.device)","bps":4800,"parity":"O","stopbits":2}"#,
            #"?DEVICE={"path":"\#(front.device)","native":1}"#, #"?DEVICE={"cycle":0.1}"#,
            #"?WATCH={"device":"\#(front.device)","enable":true,"json":true}"#, "&\(front.device)=b5620a04",
            "!\(front.device)=$PUBX,00",
        ] {
            client.send(request + ";\n")
            try await front.pass()
            #expect(try await client.reportsSoFar().contains { $0.kind == "TPV" }, "the reports go on after \(request)")
        }
        let after = try #require(front.wire.terminal)
        #expect(after.c_cflag == terminal.c_cflag && after.c_ospeed == terminal.c_ospeed)
    }

    @Test func errorsHaveGPSDsForm() async throws {
        let front = try await GPSDFrontDaemon()
        let client = try await front.connect()
        client.send("?FOO;\n")
        #expect(try await client.report("ERROR").message?.hasPrefix("Unrecognized request '?FOO;") == true)
        client.send("?WATCH={\"device\":\"/dev/nope\"};\n")
        #expect(try await client.line() == #"{"class":"ERROR","message":"No such device as /dev/nope"}"#)
        client.send("hello\n\n  \n")
        #expect(try await client.reportsSoFar().isEmpty)
    }

    @Test func aDeviceThatGoesAndComes() async throws {
        var wire = try Wire(sendsTexts: true)
        let folder = try TemporaryFolder()
        let link = folder.path + "/gps"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: wire.path)
        let port = try ReservedPort()
        let daemon = try await TestDaemon(
            receivers: ["serial:\(link)@9600"], configuration: GPSDFrontDaemon.configuration(port: port.number))
        try await daemon.grantSelf()
        let client = GPSDConnection(try TCPSocket.connect(port: port.number))
        client.watch()
        _ = try await client.report("WATCH")
        var second = 0
        func eventuallyFix(_ wire: Wire) async throws {
            try await eventually("a fix") {
                wire.offer(Sentences.epoch(second))
                second += 1
                return try await client.reportsSoFar().contains { $0.mode ?? 0 > 1 }
            }
        }
        try await eventuallyFix(wire)
        wire.unplug()
        try FileManager.default.removeItem(atPath: link)
        let gone = try await client.report("the device to go") {
            $0.kind == "DEVICE" && $0.fields["activated"] as? Int == 0
        }
        wire = try Wire(sendsTexts: true)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: wire.path)
        try await eventuallyFix(wire)
        client.send("?DEVICES;")
        let devices = try await client.report("DEVICES").list("devices")
        #expect(devices.count == 1)
        #expect(devices.first?["activated"] is String)
        #expect(gone.fields["path"] is String)
    }

    /// The same protocol on the Unix socket.
    @Test func theUnixSocket() async throws {
        let front = try await GPSDFrontDaemon()
        let client = GPSDConnection(try RawSocket(front.socket))
        #expect(try await client.line() == GPSDConnection.version)
        client.watch()
        #expect(try await client.report("TPV").mode == 1)
        try await front.grantSelf()
        try await front.passEpochs(until: "a fix") { try await client.reportsSoFar().contains { $0.mode == 3 } }
    }

    /// A port that another program has taken is reported, and the daemon serves its other sockets.
    @Test func thePortIsTaken() async throws {
        let taken = try ReservedPort()
        let holder = try RunningProgram(
            "/usr/bin/python3",
            [
                "-c",
                Program.script("GPSDClients/taken_port"), "\(taken.number)",
            ])
        try await eventually("the other program: \(holder.errors)") { holder.lines == ["listening"] }
        let daemon = try await TestDaemon(
            receivers: [], configuration: GPSDFrontDaemon.configuration(port: taken.number))
        try await daemon.waitForLog("\(taken.number)")
        let client = GPSDConnection(try RawSocket(daemon.runtime + "/gpsd"))
        #expect(try await client.line() == GPSDConnection.version)
    }
}
