import TestSupport

/// The modules of `Package.swift`, with their rooms and their imports of each other.
struct PackageManifest {
    /// The names of the modules that a module imports, by its own name.
    private(set) var imports: [String: Set<String>] = [:]
    /// The room of each module, which is the folder of `Sources/` that it lies in, by the module's name.
    private(set) var rooms: [String: String] = [:]

    init() throws {
        let text = try Project.text("Package.swift").replacing(/\/\/.*/, with: "")
        for room in text.matches(of: /room\(\s*"([^"]+)",(.*?)\n\)/.dotMatchesNewlines()) {
            let calls = /(?:module|program|target|systemLibrary)\(\s*(?:name: )?"([^"]+)"(?:, uses: ([^:)]*))?/
            for module in room.2.matches(of: calls) {
                rooms[String(module.1)] = String(room.1)
                let uses = module.2 ?? ""
                imports[String(module.1)] = Set(uses.matches(of: /"([^"]+)"/).map { String($0.1) })
            }
        }
    }

    /// Returns the path of a file from its path with its module, as documents name it.
    func path(of file: Substring) -> String {
        rooms[String(file.prefix { $0 != "/" })].map { "Sources/\($0)/\(file)" } ?? "Sources/\(file)"
    }
}
