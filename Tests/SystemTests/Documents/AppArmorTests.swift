import Foundation
import TestSupport
import Testing

/// The AppArmor profiles that the packages install.
@Suite(.timeLimit(.minutes(15))) struct AppArmorTests {
    private static let parser = "/usr/sbin/apparmor_parser"
    /// The confined programs, by the names of their profiles.
    private static let programs = [
        "locationd": "/usr/sbin/locationd", "locationd-peers": "/usr/libexec/locationd-peers",
        "locationd-publish": "/usr/sbin/locationd-publish", "locationd-nmea": "/usr/sbin/locationd-nmea",
        "locationd-ntrip": "/usr/sbin/locationd-ntrip",
    ]

    private func profile(_ name: String) throws -> String { try Project.text("data/apparmor/\(name)") }

    @Test func eachProgramHasAProfile() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Project.folder + "/data/apparmor")
        #expect(Set(files) == Set(Self.programs.keys))
        for (name, path) in Self.programs {
            let text = try profile(name)
            // Not enforced: a distribution's libraries may need more.
            #expect(text.contains("\nprofile \(name) \(path) flags=(complain, attach_disconnected) {\n"))
            #expect(text.contains("\n  \(path) mr,\n"))
            #expect(text.contains("\n  include if exists <local/\(name)>\n"))
        }
    }

    /// Only the service manager starts them, and a program that is taken over starts no other.
    @Test(arguments: programs.keys) func noProfileLetsAProgramRunAnother(name: String) throws {
        for line in try profile(name).split(separator: "\n") where line.hasSuffix(",") && line.contains("/") {
            let access = line.dropLast().split(separator: " ").last ?? ""
            #expect(!access.contains("x"), "\(line)")
        }
    }

    /// The program with the network reads no state of the daemon, and does not manage.
    @Test(arguments: ["locationd-publish", "locationd-nmea", "locationd-ntrip"])
    func aProgramWithTheNetworkReachesTheAppsSocketAlone(name: String) throws {
        let text = try profile(name)
        let daemons = ["/var/lib/locationd/", "locationd-manage", "locationd-peers", "@{run}/locationd/{"]
        for forbidden in daemons + ["ptrace"] {
            #expect(!text.contains(forbidden), "\(forbidden)")
        }
    }

    /// The features of a kernel, in the place of this machine's.
    private static let features = "/etc/apparmor.d/abi/3.0"
    private static let isInstalled = access(parser, X_OK) == 0 && access(features, R_OK) == 0

    @Test(.enabled(if: isInstalled, "needs apparmor"), arguments: programs.keys)
    func theParserFindsNothingWrong(name: String) async throws {
        // Nothing is loaded, and nothing cached.
        let result = try await Program.run(
            Self.parser,
            [
                "-Q", "-K", "--warn=all", "--kernel-features=\(Self.features)",
                Project.folder + "/data/apparmor/\(name)",
            ])
        #expect(result.status == 0 && (result.output + result.errors).isEmpty, "\(result.errors)")
    }
}
