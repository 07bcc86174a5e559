import TestSupport
import Testing

/// The values in docs/limits.md agree with the sources.
@Suite struct LimitsTests {
    /// A constant in the third column of a table: ``File.swift: name = value``.
    private struct Limit {
        var file: Substring
        var text: Substring
    }

    private func limits() throws -> [Limit] {
        try Project.text("docs/limits.md").matches(of: /\| `([^`:]+\.swift): ([^`]+)` \|/).map {
            Limit(file: $0.1, text: $0.2)
        }
    }

    @Test func theValuesAreThoseOfTheSources() throws {
        let limits = try limits()
        #expect(limits.count > 100)
        let manifest = try PackageManifest()
        for limit in limits {
            let code = try Project.text(manifest.path(of: limit.file))
            let isThere = code.ranges(of: limit.text).contains { range in
                // Not the beginning of a longer value.
                code[range.upperBound...].first.map { !$0.isLetter && !$0.isNumber && !"_.*".contains($0) } ?? true
            }
            #expect(isThere, "\(limit.file) does not say \(limit.text)")
        }
    }

    /// Each limit is on the page once.
    @Test func noLimitIsThereTwice() throws {
        let limits = try limits().map { "\($0.file) \($0.text.prefix { $0 != "=" })" }
        #expect(Set(limits).count == limits.count)
    }
}
