import TestSupport

/// The modules of `Package.swift` below `Sources/`, with what they import of each other.
struct PackageManifest {
    /// The names of the modules that a module imports, by its own name.
    let imports: [String: Set<String>]

    init() throws {
        let text = try Project.text("Package.swift")
        var targets: [String: Set<String>] = [:]
        // A target ends where the next one begins. `path:` says that it is not below `Sources/`.
        let beginnings = text.ranges(of: /\.(target|executableTarget|systemLibrary|testTarget)\(/)
        for (index, beginning) in beginnings.enumerated() {
            let end = index + 1 < beginnings.count ? beginnings[index + 1].lowerBound : text.endIndex
            let target = text[beginning.upperBound..<end]
            guard !text[beginning].contains("test"), !target.contains("path:"),
                let name = target.firstMatch(of: /name: "([^"]+)"/)?.1
            else { continue }
            let list = target.firstMatch(of: /dependencies: \[([^\]]*)\]/)?.1 ?? ""
            let products = list.replacing(/\.product\([^)]*\)/, with: "")
            targets[String(name)] = Set(products.matches(of: /"([^"]+)"/).map { String($0.1) })
        }
        imports = targets
    }
}
