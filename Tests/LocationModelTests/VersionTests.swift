import Foundation
import Testing

@testable import LocationModel

/// The version, which people and packages find in other files too.
@Suite struct VersionTests {
    private func firstLine(of file: String) throws -> String {
        let path = URL(filePath: #filePath).appending(path: "../../../\(file)").standardized
        return try String(contentsOf: path, encoding: .utf8).components(separatedBy: "\n")[0]
    }

    @Test func thePackagesHaveIt() throws {
        #expect(try firstLine(of: "debian/changelog").hasPrefix("locationd (\(Version.text))"))
    }

    @Test func theNewsBeginWithIt() throws {
        #expect(try firstLine(of: "NEWS.md") == "# News: locationd \(Version.text)")
    }
}
