import Foundation
import TestSupport
import Testing

@testable import LocationPublishCommand

/// Credentials as the service manager passes them: a folder of files.
@Suite struct CredentialsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(filePath: "\(folder.path)/locationd-publish.\(name)"))
    }

    private func read() throws -> Credentials { try Credentials(folder: folder.path) }

    @Test func none() throws {
        #expect(try Credentials(folder: nil) == Credentials())
        #expect(try read() == Credentials())
    }

    @Test func all() throws {
        let secret = [UInt8](0...255)
        try write(Array("van\n".utf8), "user")
        try write(Array("pass word\n\n".utf8), "password")
        try write([], "tls-key")
        try write(secret, "queue-key")
        // One line feed is an editor's; the rest is the password.
        let expected = Credentials(
            user: "van", password: "pass word\n", keyFile: folder.path + "/locationd-publish.tls-key",
            queueSecret: secret)
        #expect(try read() == expected)
    }

    /// The error names the credential, and has nothing of it.
    @Test(
        arguments: [
            ("user", [0xff, 0xfe], "not text"), ("password", [0x61, 0x00, 0x62], "zero byte"),
            ("password", [UInt8](repeating: 0x61, count: 65_536), "too long"),
            ("password", [0x61], "not locationd-publish.user"),
            ("queue-key", [], "has 0 bytes, and needs 32"),
            ("queue-key", [UInt8](repeating: 0x61, count: 31), "has 31 bytes, and needs 32"),
        ] as [(String, [UInt8], String)])
    func bad(_ name: String, _ bytes: [UInt8], _ message: String) throws {
        try write(bytes, name)
        #expect {
            try read()
        } throws: {
            "\($0)".contains(message) && "\($0)".contains("locationd-publish.\(name)") && !"\($0)".contains("aaa")
        }
    }
}
