internal import Devices
internal import Foundation
internal import LocationCore
internal import ServiceSupport

extension Configuration {
    /// The keys that an error lists.
    static let allowedKeys = [
        "log-level", "limits.connections-per-user", "receiver[].source", "receiver[].name",
        "receiver[].profile", "receiver[].interval", "receiver[].model", "receiver[].constellations",
        "receiver[].messages", "receiver[].power", "receiver[].assist", "receiver[].corrections", "receiver[].delay",
        "receiver[].heading-offset", "receiver[].owner", "discover", "in-use", "exit-when-idle", "restricted[].app",
        "restricted[].uid",
        "gpsd.listen", "gpsd.socket", "geoclue.enabled", "corrections.enabled", "corrections.user",
        "time.chrony-socket", "time.pps", "time.chrony-pps-socket", "geocoder.socket", "surroundings.enabled",
        "surroundings.scan", "surroundings.places",
    ]

    /// Reads the `.toml` files in `packages`, then `file`, and then those in the folder `conf.d` next to it. The files
    /// of a folder are read in the order of their names.
    ///
    /// - Parameters:
    ///   - packages: The folder of other packages' configuration, or `nil` to read none.
    ///   - required: `true` if a missing `file` is an error, as it is for a file that the user named.
    init(packages: String?, file: String, required: Bool) throws(ConfigurationError) {
        self.init()
        if let packages { try merge(folder: packages) }
        if required || FileManager.default.fileExists(atPath: file) { try add(file) }
        try merge(
            folder: URL(filePath: file).deletingLastPathComponent().appending(path: "conf.d")
                .path(percentEncoded: false))
    }

    private mutating func merge(folder: String) throws(ConfigurationError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names.sorted() where name.hasSuffix(".toml") { try add("\(folder)/\(name)") }
    }

    private mutating func add(_ file: String) throws(ConfigurationError) { try add(try TOMLText(contentsOf: file)) }

    /// Merges a file. Refuses a receiver that was named before, in this file or in another one.
    mutating func add(_ text: TOMLText) throws(ConfigurationError) {
        let file = try text.decode(ConfigurationFile.self, allowed: Self.allowedKeys)
        for (index, receiver) in (file.receiver ?? []).enumerated() {
            let source = receiver.entry.source.withoutRate
            // Several simulated receivers make sense.
            if case .simulated = source { continue }
            let line = text.line(of: "source", in: "receiver", index)
            if let other = places[source] {
                throw ConfigurationError(
                    file: text.file, line: line,
                    "receiver[\(index)].source: \(source) is there twice, here and at \(other): name it once")
            }
            places[source] = text.file + (line.map { ":\($0)" } ?? "")
        }
        merge(file)
    }

    /// Parses the text of one file. `file` is the file's name in errors.
    static func parse(_ text: String, file: String) throws(ConfigurationError) -> ConfigurationFile {
        try TOMLText(text, file: file).decode(ConfigurationFile.self, allowed: Self.allowedKeys)
    }
}
