import TestSupport
import Testing

/// ARCHITECTURE.md and the documents beside the modules agree with the sources.
@Suite struct ArchitectureTests {
    private static let documents =
        try! ["ARCHITECTURE.md", "CONTRIBUTING.md"]
        + Project.files(below: "Sources").filter { $0.hasSuffix("/README.md") }

    private static let sources = Result { try SourceIndex() }

    private let index: SourceIndex

    init() throws { index = try Self.sources.get() }

    /// Returns a document's texts between backticks and its indented diagrams.
    private func code(of document: String) throws -> [Substring] {
        let lines = try Project.text(document).split(separator: "\n")
        let diagrams = lines.filter { $0.hasPrefix("    ") }
        return diagrams
            + lines.filter { !$0.hasPrefix("    ") }.joined(separator: "\n").matches(of: /`([^`]+)`/).map(\.1)
    }

    /// Each path to a source file names one, and each member named with its type exists.
    @Test(arguments: documents) func theNamedFilesAndFunctionsExist(document: String) throws {
        let manifest = try PackageManifest()
        for text in try code(of: document) {
            for match in text.matches(of: /(?:[A-Za-z-]+\/)*[A-Z][A-Za-z+]*(?:\.[a-z][A-Za-z]*)?\b/) {
                if let fault = fault(of: match.0, manifest) { Issue.record("\(fault)") }
            }
        }
    }

    /// Returns the fault of a name in a document, or `nil`.
    private func fault(of name: Substring, _ manifest: PackageManifest) -> String? {
        let modules = manifest.rooms
        var path = name.hasPrefix("Sources/") ? name.dropFirst("Sources/".count) : name
        var member: Substring?
        if let dot = path.lastIndex(of: "."), !path.contains("/.") {
            member = path[path.index(after: dot)...]
            path = path[..<dot]
        }
        if member == "self" || member == "swift" || member == "varlink" { member = nil }
        let type = path.split(separator: "/").last.map { String($0.prefix { $0 != "+" }) } ?? ""
        if path.contains("/") {
            let folder = String(path.prefix { $0 != "/" })
            guard modules[folder] != nil || modules.values.contains(folder) else { return nil }
            guard index.isFile(String(path)) || index.isFolder(String(path)) else {
                return "there is no \(path) below Sources"
            }
        } else if member != nil, !index.isType(type) {
            return modules[type] != nil || index.words.contains(type) ? nil : "there is no type \(type)"
        }
        guard let member, index.isType(type) else { return nil }
        return index.declares(String(member), type: type) ? nil : "\(type) has no \(member)"
    }

    /// A word with capitals inside, such as `SendQueue`, is in the sources.
    @Test(arguments: documents) func theNamedTypesExist(document: String) throws {
        let foreign: Set<Substring> = ["OsmAnd", "OwnTracks"]
        for text in try code(of: document) {
            for match in text.matches(of: /\b(?:[A-Z][a-z]+|[a-z]+)(?:[A-Z][A-Za-z0-9]*)+\b/)
            where !foreign.contains(match.0) {
                #expect(
                    index.words.contains(String(match.0)) || index.isFolder(String(match.0)),
                    "\(match.0) is not in the sources"
                )
            }
        }
    }

    /// All of Foundation brings ICU's data along, 32 MB in each program that does not leave them out.
    @Test func noProgramHasUnicodeData() throws {
        let manifest = try PackageManifest()
        let imports = manifest.imports
        for (program, own) in imports where program.first!.isLowercase && !own.contains("CNoUnicodeData") {
            var modules: Set<String> = []
            var next = own.union([program])
            while !next.isEmpty {
                modules.formUnion(next)
                next = Set(next.flatMap { imports[$0] ?? [] }).subtracting(modules)
            }
            for file in try modules.sorted().flatMap({ try Project.files(below: manifest.path(of: $0[...])) })
            where file.hasSuffix(".swift") {
                let importsAll = try Project.text(file).contains(/\bimport Foundation\b/)
                #expect(!importsAll, "\(program) has \(file), which imports Foundation")
            }
        }
    }

    @Test func theTableOfModulesIsThatOfThePackage() throws {
        let rows = try Project.text("ARCHITECTURE.md").split(separator: "\n")
            .drop { !$0.hasPrefix("| module | owns") }.dropFirst(2).prefix { $0.hasPrefix("|") }
        var imports: [String: Set<String>] = [:]
        for row in rows {
            let columns = row.split(separator: "|", omittingEmptySubsequences: false)
            try #require(columns.count == 5, "\(row)")
            let named = columns[3].matches(of: /[A-Z][A-Za-z-]+/).map { String($0.0) }
            for module in columns[1].matches(of: /`([^`]+)`/) { imports[String(module.1)] = Set(named) }
        }
        let manifest = try PackageManifest().imports
        #expect(Set(imports.keys) == Set(manifest.keys))
        for (module, expected) in manifest where imports[module] != nil {
            let surplus = imports[module]!.subtracting(expected)
            let missing = expected.subtracting(imports[module]!)
            #expect(
                surplus.isEmpty && missing.isEmpty,
                "\(module): missing \(missing.sorted()), surplus \(surplus.sorted())")
        }
    }

    @Test func theTableOfStateMachinesHasEachOnce() throws {
        let manifest = try PackageManifest()
        let listed = try Project.text("ARCHITECTURE.md").split(separator: "\n")
            .drop { !$0.hasPrefix("| state machine |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
            .compactMap { $0.firstMatch(of: /`([^`]+)`/).map { manifest.path(of: $0.1) } }
        let files = try Project.files(below: "Sources").filter { $0.hasSuffix("StateMachine.swift") }
        #expect(listed.sorted() == files.sorted())
        for file in files {
            let name = file.split(separator: "/").last!.dropLast(".swift".count)
            let declaresIt = try Project.text(file).contains("struct \(name)")
            #expect(declaresIt, "\(file) has another type")
        }
    }

    /// The picture has each module once, in its room, and each module imports of the lines below it only.
    @Test func aModuleImportsOfTheLinesBelowIt() throws {
        let picture = try Project.text("ARCHITECTURE.md").split(separator: "\n")
            .drop { !$0.hasPrefix("    Locationctl ") }.prefix { $0.hasPrefix("    ") }
        var lines: [String: Int] = [:]
        var room: Substring = ""
        let rooms = try PackageManifest().rooms
        let manifest = try PackageManifest().imports
        for (number, line) in picture.enumerated() {
            for word in line.split(separator: " ") {
                if rooms[String(word)] == nil {
                    room = word
                } else {
                    #expect(rooms[String(word)] == String(room), "\(word) is in another room")
                    #expect(lines.updateValue(number, forKey: String(word)) == nil, "\(word) twice")
                }
            }
        }
        let folders = try Project.files(below: "Sources").map { String($0.split(separator: "/")[1]) }
        #expect(Set(rooms.values) == Set(folders))
        #expect(Set(lines.keys) == Set(manifest.keys))
        for (module, imports) in manifest {
            for imported in imports where (lines[imported] ?? 0) <= (lines[module] ?? 0) {
                Issue.record("\(module) imports \(imported), which is not below it")
            }
        }
    }
}
