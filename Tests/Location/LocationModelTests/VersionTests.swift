import TestSupport
import Testing

@testable import LocationModel

/// The version, which people and packages find in other files too.
@Suite struct VersionTests {
    private func firstLine(of file: String) throws -> String {
        try String(Project.text(file).prefix { $0 != "\n" })
    }

    @Test func thePackagesHaveIt() throws {
        #expect(try firstLine(of: "debian/changelog").hasPrefix("locationd (\(Version.text))"))
    }

    @Test func theNewsBeginWithIt() throws {
        #expect(try firstLine(of: "NEWS.md") == "# News: locationd \(Version.text)")
    }
}
