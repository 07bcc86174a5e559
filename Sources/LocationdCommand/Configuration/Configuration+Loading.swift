internal import Foundation
internal import ServiceSupport

extension Configuration {
    /// The keys that an error lists.
    static let allowedKeys = [
        "log-level", "limits.connections-per-user", "receiver[].source", "receiver[].name", "receiver[].power",
        "receiver[].delay", "receiver[].owner", "discover", "in-use", "exit-when-idle", "restricted[].app",
        "restricted[].uid", "gpsd.listen", "gpsd.socket", "geoclue.enabled",
        "time.chrony-socket", "time.pps", "time.chrony-pps-socket",
    ]

    /// Reads the `.toml` files in `packages`, then `file`, and then those in the folder `conf.d` next to it; the files
    /// of a folder in the order of their names.
    ///
    /// - Parameters:
    ///   - packages: The folder of other packages' configuration, or `nil` to read none.
    ///   - required: `true` if it is an error that `file` does not exist, as when a user named it.
    init(packages: String?, file: String, required: Bool) throws(ConfigurationError) {
        self.init()
        if let packages { try merge(folder: packages) }
        if required || FileManager.default.fileExists(atPath: file) { merge(try Self.read(file)) }
        try merge(
            folder: URL(filePath: file).deletingLastPathComponent().appending(path: "conf.d")
                .path(percentEncoded: false))
    }

    private mutating func merge(folder: String) throws(ConfigurationError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names.sorted() where name.hasSuffix(".toml") { merge(try Self.read("\(folder)/\(name)")) }
    }

    private static func read(_ file: String) throws(ConfigurationError) -> ConfigurationFile {
        try TOMLText(contentsOf: file).decode(ConfigurationFile.self, allowed: allowedKeys)
    }

    /// Parses the text of one file. `file` is the file's name in errors.
    static func parse(_ text: String, file: String) throws(ConfigurationError) -> ConfigurationFile {
        try TOMLText(text, file: file).decode(ConfigurationFile.self, allowed: Self.allowedKeys)
    }
}
