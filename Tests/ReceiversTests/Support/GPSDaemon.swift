import Foundation
import Glibc

/// A real gpsd on a port of its own. Killed when it goes out of being.
final class GPSDaemon {
    static let executable = ["/usr/sbin/gpsd", "/usr/local/sbin/gpsd", "/usr/bin/gpsd"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    static var isInstalled: Bool { executable != nil }

    let port: Int
    private let process = Process()
    private let directory: TemporaryDirectory

    /// Starts it with the wires' serial ports, which it only reads.
    init(port: Int, wires: [Wire]) throws {
        self.port = port
        directory = try TemporaryDirectory()
        // Started by root, gpsd goes on as another user, who is to open the ports too.
        for wire in wires { chmod(wire.path, 0o666) }
        process.executableURL = URL(fileURLWithPath: Self.executable ?? "gpsd")
        process.arguments =
            ["-N", "-n", "-b", "-S", "\(port)", "-F", "\(directory.path)/control"] + wires.map(\.path)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit { kill() }

    /// Ends it at once, as a crash would.
    func kill() {
        guard process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// A TCP port of the loopback interface on which nothing listens.
    static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let failed = withUnsafeMutableBytes(of: &address) { bytes in
            let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!
            return bind(descriptor, address, length) < 0 || getsockname(descriptor, address, &length) < 0
        }
        guard descriptor >= 0, !failed else { throw Wire.Failure(errno: errno) }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
