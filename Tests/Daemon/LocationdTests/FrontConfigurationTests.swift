import Foundation
import GPSDFront
import LocationCore
import ServiceSupport
import TestSupport
import Testing

@testable import LocationdCommand

/// The keys of the fronts, gpsd's protocol and GeoClue's interface, and of the geocoder.
@Suite struct FrontConfigurationTests {
    private func configuration(_ files: String...) throws -> Configuration {
        var configuration = Configuration()
        for file in files { configuration.merge(try Configuration.parse(file, file: "a.toml")) }
        return configuration
    }

    @Test func nothingIsServedUnlessItIsConfigured() throws {
        for text in ["", "[gpsd]\n[geoclue]\n", "[gpsd]\nlisten = []\nsocket = false\n[geoclue]\nenabled = false\n"] {
            let none = try configuration(text)
            #expect(none.gpsd == nil && !none.geoclue, "\(text)")
        }
    }

    @Test func addressesAreParsed() throws {
        let both = try configuration("[gpsd]\nlisten = [\n  \"127.0.0.1:2947\",\n  \"[::1]:2948\"\n]\nsocket = true\n")
        #expect(both.gpsd?.listen.map(\.address) == ["127.0.0.1", "::1"])
        #expect(both.gpsd?.listen.map(\.port) == [2947, 2948])
        #expect(both.gpsd?.listen.map(\.description) == ["127.0.0.1:2947", "[::1]:2948"])
        #expect(both.gpsd?.socket == true)
    }

    @Test func aLaterFileReplacesAKeyAndKeepsTheOthers() throws {
        let merged = try configuration(
            "[gpsd]\nlisten = [\"127.0.0.1:2947\"]\n[geoclue]\nenabled = true\n", "[gpsd]\nsocket = true\n",
            "[gpsd]\nlisten = [\"127.0.0.2:1\"]\n", "log-level = \"info\"\n")
        #expect(merged.gpsd?.listen.map(\.description) == ["127.0.0.2:1"])
        #expect(merged.gpsd?.socket == true && merged.geoclue)
        let off = try configuration("[geoclue]\nenabled = true\n", "[geoclue]\nenabled = false\n")
        #expect(!off.geoclue)
    }

    @Test func theSurroundingsAreUsedUnlessTheyAreSwitchedOff() throws {
        #expect(try configuration("", "[surroundings]\n").surroundings == ServiceSettings.SurroundingsSettings())
        var settings = ServiceSettings.SurroundingsSettings()
        settings.scans = true
        #expect(try configuration("[surroundings]\nscan = true\n").surroundings == settings)
        settings.places = true
        let files = ["[surroundings]\nscan = true\n", "[surroundings]\nplaces = true\n"]
        #expect(try configuration(files[0], files[1]).surroundings == settings)
        let off = try configuration("[surroundings]\nenabled = false\n", "[geoclue]\nenabled = true\n")
        #expect(!off.surroundings.isUsed)
        #expect(off.keysThatNeedRestart(since: try configuration("[geoclue]\nenabled = true\n")).isEmpty)
    }

    @Test func theGeocodersSocketIsThatOfTheLastFile() throws {
        #expect(try configuration("", "[geocoder]\n").geocoderSocket == nil)
        let files = ["a", "b"].map { "[geocoder]\nsocket = \"/run/\($0)\"\n" }
        #expect(try configuration(files[0], files[1], "[geocoder]\n").geocoderSocket == "/run/b")
        #expect(try configuration(files[0]).keysThatNeedRestart(since: configuration(files[1])).isEmpty)
    }

    @Test(arguments: [
        ("[gpsd]\nlisten = \"127.0.0.1:2947\"\n", "a.toml:2: gpsd.listen: the value must be a list in brackets"),
        ("[gpsd]\nlisten = [2947]\n", "a.toml:2: gpsd.listen[0]: the value must be a text in quotes"),
        ("[gpsd]\n\nlisten = [\"[::1]:1\", \"127.0.0.1\"]\n", "a.toml:3: gpsd.listen[1]: \"127.0.0.1\" lacks a port"),
        ("[gpsd]\nlisten = [\"127.0.0.1:1\", \"127.0.0.1:1\"]\n", "127.0.0.1:1 is there twice"),
        ("[gpsd]\nsocket = \"yes\"\n", "a.toml:2: gpsd.socket: the value must be true or false"),
        ("[gpsd]\nport = 2947\n", "a.toml:2: unknown key gpsd.port"),
        ("gpsd = true\n", "a.toml:1: gpsd: the value must be a table"),
        ("[geoclue]\nenabled = 1\n", "a.toml:2: geoclue.enabled: the value must be true or false"),
        ("[surroundings]\nenabled = \"yes\"\n", "a.toml:2: surroundings.enabled: the value must be true or false"),
        ("[geoclue]\nagents = []\n", "a.toml:2: unknown key geoclue.agents"),
        ("[geocoder]\nsocket = \"towns\"\n", "a.toml:2: geocoder.socket: \"towns\" is not the path of a socket"),
        ("[geocoder]\nurl = \"http://a\"\n", "a.toml:2: unknown key geocoder.url"),
    ])
    func aMistakeIsRefusedWithItsPlace(text: String, expected: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try configuration(text) }
        #expect(error?.description.contains(expected) == true, "\(String(describing: error))")
    }

    /// Clients on other machines cannot be identified.
    @Test(arguments: [
        "0.0.0.0:2947", "192.168.1.5:2947", "[::]:2947", "[fe80::1%lo]:2947", "[::ffff:127.0.0.1]:2947", "128.0.0.1:1",
        "localhost:2947", ":2947", "*:2947", "127.1:2947", "127.0.0.01:2947", "::1:2947", "[127.0.0.1]:2947",
        "127.0.0.1\u{0}:2947", "[::1\u{0}]:2947", " 127.0.0.1:2947", "[::1:2947", "::1]:2947", "[]:2947", "[:2947",
    ])
    func nothingButLoopbackAddressesIsListenedOn(text: String) {
        let error = #expect(throws: ListenAddress.ParseError.self) { try ListenAddress(parsing: text) }
        #expect(error?.description.contains("is not a loopback address") == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        "", "127.0.0.1", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:+1", "127.0.0.1:-1",
        "127.0.0.1: 1", "127.0.0.1:0x1", "127.0.0.1:99999999999999999999", "127.0.0.1:gpsd", "[::1]", "[::1]:",
    ])
    func aPortIsPartOfTheAddress(text: String) {
        let error = #expect(throws: ListenAddress.ParseError.self) { try ListenAddress(parsing: text) }
        #expect(error?.description.contains("lacks a port from 1 to 65535") == true, "\(String(describing: error))")
    }

    @Test(arguments: ["[::1]:1", "[0::0:1]:1", "[0:0:0:0:0:0:0:1]:1"]) func anIPv6AddressHasOneSpelling(text: String)
        throws
    {
        #expect(try ListenAddress(parsing: text).description == "[::1]:1")
    }

    @Test func keysThatNeedARestartAreNamed() throws {
        let initial = try configuration("[gpsd]\nlisten = [\"127.0.0.1:1\"]\n")
        #expect(initial.keysThatNeedRestart(since: initial).isEmpty)
        let other = try configuration("[gpsd]\nlisten = [\"127.0.0.1:2\"]\nsocket = true\n[geoclue]\nenabled = true\n")
        let all = ["gpsd.listen", "gpsd.socket", "geoclue.enabled"]
        #expect(other.keysThatNeedRestart(since: initial) == all)
        #expect(initial.keysThatNeedRestart(since: other) == all)
        #expect(try configuration("").keysThatNeedRestart(since: initial) == ["gpsd.listen"])
    }

    /// The packages' configuration comes first, so that the administrator's files can override it.
    @Test func theAdministratorOverridesPackages() throws {
        let folder = try TemporaryFolder()
        let packages = folder.path + "/packages"
        try FileManager.default.createDirectory(atPath: packages, withIntermediateDirectories: true)
        try "[geoclue]\nenabled = true\n".write(
            toFile: packages + "/locationd-geoclue.toml", atomically: true, encoding: .utf8)
        let file = folder.path + "/locationd.toml"
        func read(_ packages: String?) throws -> Configuration {
            try Configuration(packages: packages, file: file, required: false)
        }
        #expect(try read(packages).geoclue)
        #expect(try !read(nil).geoclue)
        #expect(try !read(folder.path + "/nonexistent").geoclue)
        try "[geoclue]\nenabled = false\n".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try !read(packages).geoclue)
    }
}
