import Foundation
import TestSupport
import Testing

/// The documents are short, say who they are for, lead to each other, and have each command once.
@Suite struct PagesTests {
    private static let pages = try! Project.files(below: "docs").filter { $0.hasSuffix(".md") }

    private static let documents =
        try! pages
        + ["ARCHITECTURE.md", "CONTRIBUTING.md", "NEWS.md", "README.md", "SECURITY.md"]
        + ["Examples/README.md", "Tests/README.md"]
        + Project.files(below: "Sources").filter { $0.hasSuffix("/README.md") }

    private static func lines(of document: String) throws -> [Substring] {
        try Project.text(document).split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Its first screen has a picture, and the command that shows the program at work.
    @Test func theREADMEIsShort() throws {
        let lines = try Self.lines(of: "README.md").dropLast()
        #expect(lines.count <= 110)
        let screen = lines.prefix(24)
        #expect(screen.contains { $0.hasPrefix("![") })
        #expect(screen.contains { $0.hasPrefix("    make demo") })
    }

    @Test func theFirstDayIsAPage() throws {
        let lines = try Self.lines(of: "docs/first-day.md").dropLast()
        #expect(lines.count <= 80)
    }

    /// The title or the first sentence names the readers.
    @Test(arguments: pages) func aPageBeginsWithItsReaders(page: String) throws {
        let lines = try Self.lines(of: page).filter { !$0.isEmpty }.prefix(2)
        #expect(lines.contains { $0.hasPrefix("# For ") || $0.hasPrefix("For ") }, "\(page) does not say who it is for")
    }

    /// A command is where its readers need it; other pages lead there.
    @Test func noCommandIsOnTwoPages() throws {
        var places: [String: Set<String>] = [:]
        for page in Self.pages + ["CONTRIBUTING.md", "README.md"] {
            for command in try Self.commands(of: page) { places[command, default: []].insert(page) }
        }
        #expect(places.count > 100)
        for (command, pages) in places where pages.count > 1 {
            Issue.record("\"\(command)\" is on several pages: \(pages.sorted())")
        }
    }

    /// Returns the lines of a document's blocks of commands, without comments. A block that is marked as text has a
    /// configuration or a program.
    private static func commands(of document: String) throws -> [String] {
        var commands: [String] = []
        var isBlock = false
        var isText = false
        var isAfterEmptyLine = false
        for line in try lines(of: document) {
            isBlock = line.hasPrefix("    ") && (isBlock || isAfterEmptyLine)
            isAfterEmptyLine = line.isEmpty
            if !isBlock, !line.isEmpty { isText = line == "<!-- text -->" }
            guard isBlock, !isText else { continue }
            let command = line.replacing(/(^| +)#.*/, with: "").trimmingCharacters(in: .whitespaces)
            if !command.isEmpty { commands.append(command) }
        }
        return commands
    }

    @Test(arguments: documents) func aLinkLeadsToAFileAndAHeading(document: String) throws {
        for link in try Project.text(document).matches(of: /\]\(([^)\s]+)\)/) where !link.1.contains("://") {
            let parts = link.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let file = parts[0].isEmpty ? document : Self.file(at: parts[0], in: document)
            guard FileManager.default.fileExists(atPath: Project.folder + "/" + file) else {
                Issue.record("\(document): there is no \(file)")
                continue
            }
            guard parts.count == 2 else { continue }
            let anchors = try Self.anchors(of: file)
            #expect(anchors.contains(String(parts[1])), "\(document): \(file) has no heading \(parts[1])")
        }
    }

    /// Returns the path of a file below the project's folder.
    ///
    /// - Parameter path: The path from the folder of `document`.
    private static func file(at path: Substring, in document: String) -> String {
        var folders = document.split(separator: "/").dropLast()
        for part in path.split(separator: "/") {
            if part == ".." { _ = folders.popLast() } else { folders.append(part) }
        }
        return folders.joined(separator: "/")
    }

    /// Returns the names that links have for a document's headings: lower case, no punctuation, hyphens for spaces.
    private static func anchors(of document: String) throws -> Set<String> {
        let headings = try lines(of: document).filter { $0.hasPrefix("#") }
        return Set(
            headings.map { heading in
                let text = heading.drop { $0 == "#" }.dropFirst().lowercased().replacing(" ", with: "-")
                return text.filter { $0.isLetter || $0.isNumber || "-_".contains($0) }
            })
    }
}
