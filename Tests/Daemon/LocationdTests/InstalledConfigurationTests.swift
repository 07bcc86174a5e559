import AuthorizationPolicy
import LocationCore
import LocationModel
import ServiceSupport
import TestSupport
import Testing

@testable import LocationdCommand

/// The configuration and the manifest that `make install` and the package install.
@Suite struct InstalledConfigurationTests {
    private func text(_ file: String) throws -> String { try Project.text("data/etc/" + file) }

    /// Parses the file as it is, and with every key that is commented out.
    @Test func theInstalledConfigurationIsOne() throws {
        let installed = try text("locationd.toml")
        let silent = try Configuration.parse(installed, file: "locationd.toml")
        #expect(silent.receiver == nil && silent.limits == nil && silent.restricted == nil && silent.logLevel == nil)
        #expect(silent.gpsd == nil && silent.geoclue == nil && silent.time == nil && silent.geocoder == nil)
        #expect(silent.surroundings == nil)

        // A key that is commented out follows its # immediately, a sentence after a space.
        let lines = installed.split(separator: "\n").filter { $0.hasPrefix("#") && !$0.hasPrefix("# ") }
            .map { $0.dropFirst() }
        let whole = try Configuration.parse(lines.joined(separator: "\n"), file: "locationd.toml")
        #expect(whole.receiver?.count == 2 && whole.restricted?.count == 1)
        #expect(whole.gpsd?.listen?.count == 2 && whole.geoclue?.enabled == true)
        var table = ""
        var keys: Set<String> = []
        for line in lines {
            if line.hasPrefix("[[") {
                table = line.trimming { "[]".contains($0) } + "[]."
            } else if line.hasPrefix("[") {
                table = line.trimming { "[]".contains($0) } + "."
            } else if let key = line.split(separator: " ").first {
                keys.insert(table + key)
            }
        }
        #expect(keys == Set(LocationdCommand.Configuration.allowedKeys))
    }

    /// The package locationd-geoclue sets one key, and nothing that the administrator would have to undo.
    @Test func theConfigurationOfThePackageIsOne() throws {
        let file = try Configuration.parse(try text("locationd-geoclue.toml"), file: "locationd-geoclue.toml")
        #expect(file.geoclue?.enabled == true)
        #expect(file.receiver == nil && file.limits == nil && file.restricted == nil && file.gpsd == nil)
    }

    @Test func theManifestOfLocationctlIsOne() throws {
        let manifest = try TOMLText(try text("locationctl.toml"), file: "locationctl.toml").decode(
            AppManifest.self, allowed: [])
        #expect(manifest.displayName == "locationctl")
        #expect(manifest.whenInUse != nil && manifest.always != nil)
    }

    /// The prompt about the portal says who else gets the location, and offers reduced accuracy first.
    @Test func theManifestOfThePortalOffersReducedAccuracy() throws {
        let manifest = try TOMLText(try text("xdg-desktop-portal.toml"), file: "xdg-desktop-portal.toml").decode(
            AppManifest.self, allowed: [])
        #expect(manifest.defaultAccuracy == .reduced)
        #expect(manifest.whenInUse?.plain.contains("all other programs of yours without a question") == true)
        #expect(manifest.always == manifest.whenInUse)
        // The name of its file, in the Makefile.
        let app = try ManifestName.app(ofFile: #"exe:usr-libexec-xdg\x2ddesktop\x2dportal.toml"#)
        #expect(app == AppIdentity("exe:/usr/libexec/xdg-desktop-portal"))
    }
}

extension StringProtocol {
    fileprivate func trimming(_ unwanted: (Character) -> Bool) -> String {
        String(drop(while: unwanted).reversed().drop(while: unwanted).reversed())
    }
}
