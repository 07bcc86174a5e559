extension Survey {
    /// Reads the configured instances of locationd-ntrip. Their files are searched, not parsed: the program itself
    /// reports mistakes.
    static func casters(_ root: SystemRoot) -> [String: CasterFacts] {
        let folder = "/etc/locationd/ntrip"
        var casters: [String: CasterFacts] = [:]
        for file in root.names(in: folder) where file.hasSuffix(".toml") {
            let name = String(file.dropLast(5))
            let lines = (root.text("\(folder)/\(file)") ?? "").split(whereSeparator: \.isNewline)
            guard let caster = lines.compactMap(ConfiguredSources.entry).first(where: { $0.key == "caster" }) else {
                continue
            }
            casters[name] = CasterFacts(
                usesTLS: caster.value.hasPrefix("ntrips://"),
                hasUser: root.exists("/etc/credstore/locationd-ntrip.\(name).user"))
        }
        return casters
    }
}
