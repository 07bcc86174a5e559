internal import LocationCore
internal import Logging
internal import ServiceSupport

extension ManifestFolder {
    /// Reads the manifests in `folders`, and logs each one that is left out, with the reason.
    static func load<Manifest: Decodable>(
        _ type: Manifest.Type, from folders: [ManifestFolder], log: Logger
    ) -> Manifests<Manifest> {
        let manifests = read(folders) { text, file in
            // The manifest's own errors list the keys that are allowed.
            try TOMLText(text, file: file).decode(type, allowed: [])
        }
        for problem in manifests.problems {
            switch problem {
            case .ignored: log.notice("ignored a manifest: \(problem)")
            case .mistake: log.error("ignored a manifest that has an error: \(problem)")
            }
        }
        return manifests
    }
}
