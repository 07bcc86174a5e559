import Testing

@testable import LogReport

/// The form of the style and the script, which `swift format` does not read.
struct PageSourcesTests {
    private static let sources = [PageSources.style, PageSources.script]

    @Test(arguments: sources)
    func linesAreAsTidyAsThoseOfSwift(_ source: String) {
        for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            #expect(line.count <= 120, "line \(index + 1) is too long")
            #expect(!line.isEmpty && line.last?.isWhitespace == false, "line \(index + 1) is empty, or ends in a space")
            #expect(!line.contains { $0.isWhitespace && $0 != " " }, "line \(index + 1) contains a tabulator")
        }
    }

    @Test(arguments: sources)
    func bracketsMatch(_ source: String) throws {
        var open: [Character] = []
        for character in source {
            switch character {
            case "(": open.append(")")
            case "[": open.append("]")
            case "{": open.append("}")
            case ")", "]", "}": try #require(open.popLast() == character)
            default: break
            }
        }
        #expect(open.isEmpty)
    }

    @Test func everyVariableOfTheStyleIsDefined() {
        let names = Set(PageSources.style.matches(of: /var\((--[a-z]+)/).map(\.output.1))
        #expect(names.count > 10)
        for name in names { #expect(PageSources.style.contains("\(name):"), "\(name)") }
    }
}
