internal import Foundation
internal import LocationCore

/// The paths of the daemon's files: from the command line, else from the environment as described in systemd.exec(5),
/// else the paths of an installed daemon.
struct Paths {
    let configuration: String
    /// The folder where packages such as locationd-geoclue install configuration, or `nil` if the command line names a
    /// file: packages configure only the installed daemon.
    let packagedConfiguration: String?
    let runtime: String
    let state: String
    /// The folders of manifests: first the packages', then the administrator's, which is next to the configuration.
    let manifests: [ManifestFolder]

    init(arguments: Locationd, environment: [String: String]) {
        // systemd separates several folders with colons. The first is the daemon's.
        func first(_ variable: String) -> String? {
            environment[variable]?.split(separator: ":").first.map(String.init)
        }
        configuration = arguments.config ?? "/etc/locationd/locationd.toml"
        packagedConfiguration = arguments.config == nil ? "/usr/share/locationd/conf.d" : nil
        let beside = URL(filePath: configuration).absoluteURL.deletingLastPathComponent().appending(path: "apps")
        manifests = [
            ManifestFolder("/usr/share/locationd/apps"), ManifestFolder(beside.path(percentEncoded: false)),
        ]
        runtime = arguments.runtimeDirectory ?? first("RUNTIME_DIRECTORY") ?? "/run/locationd"
        state = arguments.stateDirectory ?? first("STATE_DIRECTORY") ?? "/var/lib/locationd"
    }
}
