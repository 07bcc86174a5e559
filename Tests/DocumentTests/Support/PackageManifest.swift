import TestSupport

/// The modules of the rooms in `Package.swift`, with what they import of each other.
struct PackageManifest {
    /// The names of the modules that a module imports, by its own name.
    private(set) var imports: [String: Set<String>] = [:]

    init() throws {
        let text = try Project.text("Package.swift").replacing(/\/\/.*/, with: "")
        for room in text.matches(of: /room\(\s*"([^"]+)",(.*?)\n\)/.dotMatchesNewlines()) {
            let calls = /(?:module|program|target|systemLibrary)\(\s*(?:name: )?"([^"]+)"(?:, uses: ([^:)]*))?/
            for module in room.2.matches(of: calls) {
                let uses = module.2 ?? ""
                imports[String(module.1)] = Set(uses.matches(of: /"([^"]+)"/).map { String($0.1) })
            }
        }
    }
}
