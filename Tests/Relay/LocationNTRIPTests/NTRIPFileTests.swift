import Logging
import NTRIP
import ServiceSupport
import TestSupport
import Testing

@testable import LocationNTRIPCommand

/// The configuration of an instance, and its credentials.
@Suite struct NTRIPFileTests {
    private func file(_ text: String) throws -> NTRIPFile {
        try TOMLText(text, file: "base.toml").decode(NTRIPFile.self, allowed: NTRIPFile.keys)
    }

    @Test func everyKey() throws {
        let file = try file(
            """
            caster = "ntrips://caster.example:443/MOUNT"
            position = "reduced"
            receiver = "deck"
            interval = 30
            ca = "/etc/ssl/caster.pem"
            log-level = "debug"
            """)
        #expect(file.caster.description == "ntrips://caster.example:443/MOUNT")
        #expect(file.plan == .mount("MOUNT", position: .reduced) && file.interval == 30 && file.receiver == "deck")
        #expect(file.authorities == "/etc/ssl/caster.pem" && file.logLevel == .debug)
    }

    @Test func theMountPointIsAKeyOrInTheAddress() throws {
        #expect(try file("caster = \"ntrip://a/B\"\n").plan == .mount("B", position: nil))
        #expect(try file("caster = \"ntrip://a\"\nmount = \"B\"\n").plan == .mount("B", position: nil))
        #expect(try file("caster = \"ntrip://a/nearest\"\n").plan == .mount("nearest", position: nil))
        #expect(try file("caster = \"ntrip://a\"\nmount = \"nearest\"\n").plan == .nearest)
        #expect(try file("caster = \"ntrip://a\"\nmount = \"nearest\"\nposition = \"none\"\n").plan == .nearest)
    }

    @Test func anyReceiverIsTheDefault() throws {
        #expect(try file("caster = \"ntrip://a/B\"\n").receiver == nil)
        #expect(try file("caster = \"ntrip://a/B\"\nreceiver = \"any\"\n").receiver == nil)
    }

    @Test(arguments: [
        ("", "caster"), ("caster = \"http://a/B\"\n", "base.toml:1: caster: \"http://a/B\" is not a caster"),
        ("caster = \"ntrip://a\"\n", "add the mount point"),
        ("caster = \"ntrip://a/B\"\nmount = \"C\"\n", "has a mount point already"),
        ("caster = \"ntrip://a\"\nmount = \"B C\"\n", "is not a mount point"),
        ("caster = \"ntrip://a\"\nmount = \"nearest\"\nposition = \"full\"\n", "needs no position"),
        ("caster = \"ntrip://a/B\"\nposition = \"cell\"\n", "use one of none, reduced, full"),
        ("caster = \"ntrip://a/B\"\ninterval = 9\n", "10 to 300"),
        ("caster = \"ntrip://a/B\"\nreceiver = \"\"\n", "use the name of a receiver"),
        ("caster = \"ntrip://a/B\"\nreceiver = \"a\\nb\"\n", "use the name of a receiver"),
        ("caster = \"ntrip://u:p@a/B\"\n", "CREDENTIALS"),
        ("caster = \"ntrip://a/B\"\npassword = \"x\"\n", "unknown key password"),
    ])
    func aMistakeIsRefusedWithItsPlace(text: String, explanation: String) {
        let error = #expect(throws: ConfigurationError.self) { try file(text) }
        #expect(error?.description.contains(explanation) == true, "\(error?.description ?? "")")
    }

    /// The example that is installed can be used as it is.
    @Test func theExampleIsRight() throws {
        #expect(try file(Project.text("data/etc/ntrip.toml")).plan == .mount("MOUNT", position: nil))
    }

    @Test func credentials() throws {
        let folder = try TemporaryFolder()
        #expect(try CasterCredentials.read(from: nil) == nil)
        #expect(try CasterCredentials.read(from: folder.path) == nil)
        try folder.write("anna\n", to: "user")
        #expect(try CasterCredentials.read(from: folder.path) == CasterCredentials(user: "anna", password: ""))
        try folder.write("se:cret \n", to: "password")
        #expect(try CasterCredentials.read(from: folder.path) == CasterCredentials(user: "anna", password: "se:cret "))
    }

    /// Attack: a credential with a line break becomes another header, and an error shows the credential.
    @Test(arguments: ["an:na", "anna\r\nX: y", "\u{1B}[2J", String(repeating: "x", count: 2000)])
    func unusableCredentials(user: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(user, to: "user")
        let failure = #expect(throws: CasterCredentials.Failure.self) { try CasterCredentials.read(from: folder.path) }
        #expect(failure?.description.contains(user) == false)
    }
}
