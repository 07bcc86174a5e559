import Foundation
import TestSupport
import Testing

/// The examples that make a receiver of a device in the network, with a device that the test plays.
@Suite(.timeLimit(.minutes(15)), .enabled(if: access("/usr/bin/python3", X_OK) == 0, "needs Python"))
struct ExampleReceiversTests {
    /// Returns the lines of NMEA that an example sends to whoever connects.
    private func lines(
        of example: String, _ arguments: [String], environment: [String: String], in folder: TemporaryFolder
    ) async throws -> [String] {
        let socket = folder.path + "/socket"
        let program = try RunningProgram(
            "/usr/bin/python3", ["-B", "\(Project.folder)/Examples/nmea/\(example)"] + arguments + [socket],
            environment: environment)
        try await eventually("the socket: \(program.errors)") { access(socket, F_OK) == 0 }
        var mode = stat()
        #expect(stat(socket, &mode) == 0 && mode.st_mode & 0o077 == 0)
        var connection: RawSocket?
        // It is bound before it listens.
        try await eventually("a connection: \(program.errors)") {
            connection = try? RawSocket(socket)
            return connection != nil
        }
        let reader = try #require(connection)
        var text = ""
        try await eventually("sentences: \(text) \(program.errors)") {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(reader.descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
            if count > 0 { text += String(decoding: bytes[..<count], as: UTF8.self) }
            return text.hasSuffix("\r\n")
        }
        return text.components(separatedBy: "\r\n").filter { !$0.isEmpty }
    }

    private func isWhole(_ line: String) -> Bool {
        let parts = line.dropFirst().split(separator: "*")
        return parts.count == 2 && UInt8(parts[1], radix: 16) == parts[0].utf8.reduce(0, ^)
    }

    @Test func starlink() async throws {
        let folder = try TemporaryFolder()
        let answer = #"{"getLocation":{"lla":{"lat":-33.5,"lon":151.25,"alt":120.04},"sigmaM":4.2}}"#
        let grpcurl = try folder.write("#!/bin/sh\necho '\(answer)'\n", to: "grpcurl")
        chmod(grpcurl, 0o755)
        let lines = try await lines(
            of: "starlink.py", [], environment: ["PATH": folder.path + ":/usr/bin:/bin"], in: folder)
        #expect(lines.allSatisfy { isWhole($0) }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("$GNRMC,") && $0.contains(",A,3330.00000,S,15115.00000,E,") })
        #expect(lines.contains { $0.hasPrefix("$GNGGA,") && $0.contains(",1,,,120.0,M,") })
        #expect(lines.contains { $0.hasPrefix("$GNGST,") && $0.contains(",4.2,4.2,4.2*") })
    }

    @Test func meshtastic() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/meshtastic", withIntermediateDirectories: false)
        _ = try folder.write("", to: "meshtastic/__init__.py")
        _ = try folder.write(
            """
            class TCPInterface:
                def __init__(self, host):
                    assert host == "node.local"

                def close(self):
                    pass

                def getMyNodeInfo(self):
                    return {"position": {"latitude": 52.5, "longitude": -0.1, "altitude": 34, "time": 1780315210}}
            """, to: "meshtastic/tcp_interface.py")
        let lines = try await lines(
            of: "meshtastic_node.py", ["node.local"], environment: ["PYTHONPATH": folder.path], in: folder)
        #expect(lines.allSatisfy { isWhole($0) }, "\(lines)")
        #expect(lines.first?.hasPrefix("$GNRMC,120010,A,5230.00000,N,00006.00000,W,,,010626,,,A*") == true, "\(lines)")
        #expect(lines.last?.contains(",1,,,34,M,") == true, "\(lines)")
    }
}
