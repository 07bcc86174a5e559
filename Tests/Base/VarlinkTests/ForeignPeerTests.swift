import Foundation
import Linux
import TestSupport
import Testing
import Varlink

/// Clients in other languages.
struct ForeignPeerTests {
    private static let perl = "/usr/bin/perl"
    private static let python = ProcessInfo.processInfo.environment["VARLINK_PYTHON"]
    /// A Boolean value indicating whether the kernel supplies a descriptor of the process behind a connection.
    private static let hasPeerDescriptors: Bool = {
        var pair: [CInt] = [-1, -1]
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &pair) == 0 else { return false }
        defer { for descriptor in pair { close(descriptor) } }
        var (descriptor, size) = (CInt(-1), socklen_t(MemoryLayout<CInt>.size))
        // SO_PEERPIDFD, which the C library of Debian 12 does not define.
        guard getsockopt(pair[0], SOL_SOCKET, 77, &descriptor, &size) == 0 else { return false }
        close(descriptor)
        return true
    }()

    @Test(
        .enabled("needs \(perl)") { FileManager.default.isExecutableFile(atPath: perl) },
        .enabled(if: hasPeerDescriptors, "needs Linux 6.5"))
    func credentialsOfAProcess() async throws {
        let script = #"""
            use Socket;
            socket(S, AF_UNIX, SOCK_STREAM, 0) or die;
            connect(S, sockaddr_un($ARGV[0])) or die;
            syswrite(S, "{\"method\":\"org.example.test.Whoami\"}\0");
            sysread(S, my $reply, 65536);
            syswrite(STDOUT, $reply =~ s/\0//r);
            <STDIN>;
            """#
        try await TestService.serving { service, path in
            let input = try ProgramPipe()
            let child = try RunningProgram(
                Self.perl, ["-e", script, path], input: input.readEnd.fileDescriptor)
            try await eventually("it has called") { await service.processes.count == 1 }
            let process = try #require(await service.processes.first)
            #expect(process.isAlive)
            try input.writeEnd.close()
            let reply = try await JSONValue(parsing: Array(child.end().output.utf8).span)
            try await eventually("it has ended") { !process.isAlive }
            let identity: TestService.Identity = try #require(reply["parameters"]).decoded()
            #expect(identity.pid == child.processIdentifier)
            #expect(identity.uid == getuid())
            #expect(identity.gid == getgid())
            #expect(identity.alive == true)
        }
    }

    @Test(.enabled("needs VARLINK_PYTHON, a Python that has PyPI's varlink") { python != nil })
    func pythonClient() async throws {
        let script = Program.script("Varlink/foreign_client_of_any_service")
        try await TestService.serving { _, path in
            let result = try await Program.run(try #require(Self.python), ["-c", script, path])
            #expect(result.status == 0, "\(result.errors)")
            #expect(
                result.output == #"""
                    true
                    {"text": "h\u00e4\u0000\"\n\ud83d\ude00"}
                    {"sum": 3}
                    {"place": {"latitude": 47.37688612345679, "longitude": -0.1}}
                    [1, 2, 3]
                    {"error": "org.example.test.Custom", "parameters": {"code": 7, "reason": "it does"}}
                    {"error": "org.varlink.service.PermissionDenied", "parameters": {}}
                    {"error": "org.varlink.service.MethodNotImplemented", "parameters": {"method": "org.example.test.NotThere"}}
                    org.varlink.service.ExpectedMore

                    """#)
        }
    }
}
