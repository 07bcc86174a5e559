internal import LocationCore
internal import Logging

extension ManifestFolder {
    /// Reads the manifests of some folders, and says what is left out of them.
    static func load<Manifest: Decodable>(
        _ type: Manifest.Type, from folders: [ManifestFolder], log: Logger
    ) -> Manifests<Manifest> {
        let manifests = read(folders) { text, file in
            // The manifest itself says which keys are allowed.
            try TOMLText(text, file: file).decode(type, allowed: [])
        }
        for problem in manifests.problems {
            switch problem {
            case .ignored: log.notice("a manifest is ignored: \(problem)")
            case .mistake: log.error("a manifest is left out: \(problem)")
            }
        }
        return manifests
    }
}
