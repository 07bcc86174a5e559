internal import Foundation
internal import LocationCore

/// Where the daemon's files are: as the command line says, else as systemd.exec(5) says in the environment, else the
/// installed places.
struct Paths {
    let configuration: String
    let runtime: String
    let state: String
    /// The packages' one, then the administrator's, which is beside the configuration.
    let manifests: [ManifestFolder]

    init(arguments: Locationd, environment: [String: String]) {
        // systemd lists several folders with colons between them; ours are the first.
        func first(_ variable: String) -> String? {
            environment[variable]?.split(separator: ":").first.map(String.init)
        }
        configuration = arguments.config ?? "/etc/locationd/locationd.toml"
        let beside = URL(filePath: configuration).absoluteURL.deletingLastPathComponent().appending(path: "apps")
        manifests = [
            ManifestFolder("/usr/share/locationd/apps"), ManifestFolder(beside.path(percentEncoded: false)),
        ]
        runtime = arguments.runtimeDirectory ?? first("RUNTIME_DIRECTORY") ?? "/run/locationd"
        state = arguments.stateDirectory ?? first("STATE_DIRECTORY") ?? "/var/lib/locationd"
    }
}
