internal import AuthorizationPolicy
internal import CLinux
internal import Glibc
public import LocationModel

/// A folder of app manifests, one file an app: `KIND:NAME.toml`, with NAME as ``ManifestName`` writes it.
///
/// A manifest's texts stand in a prompt as reviewed words of the system's. So a folder, and a file, count only where
/// nobody but root and the daemon's own user could have written them, and symbolic links are not followed.
public struct ManifestFolder: Sendable {
    /// How many manifests a folder may hold; what is over it, by name, is left out.
    public static let mostFiles = 4096
    /// Absolute.
    public let path: String

    /// The folder at an absolute path. It need not exist.
    public init(_ path: String) {
        self.path = path
    }

    /// The manifests of several folders; one of a later folder takes the place of an earlier one's for the same app.
    ///
    /// - Parameter decode: makes a manifest of a file's text; its errors name the place in the file, which is given for
    ///   that. A file that it throws for is left out, the others hold.
    public static func read<Manifest>(
        _ folders: [ManifestFolder], decode: (_ text: String, _ file: String) throws -> Manifest
    ) -> Manifests<Manifest> {
        var all = Manifests<Manifest>()
        for folder in folders { folder.read(into: &all, decode) }
        return all
    }

    private func read<Manifest>(
        into all: inout Manifests<Manifest>, _ decode: (_ text: String, _ file: String) throws -> Manifest
    ) {
        let trust = FileTrust()
        let folder: OpenPlace
        do throws(Untrusted) {
            guard let found = try trust.openFolder(path) else { return }
            folder = found
        } catch {
            return all.problems.append(.ignored("\(error)"))
        }
        guard let names = folder.names() else {
            return all.problems.append(.ignored("\(path): cannot be listed: \(String(cString: strerror(errno)))"))
        }
        let files = names.filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }.sorted()
        if files.count > Self.mostFiles {
            all.problems.append(.ignored("\(path): of \(files.count) manifests the first \(Self.mostFiles) are read"))
        }
        for name in files.prefix(Self.mostFiles) {
            let file = "\(path)/\(name)"
            do {
                let app = try ManifestName.app(ofFile: name)
                let text = try trust.contents(of: name, in: folder, path: file, limit: AppManifest.largestFile)
                all.byApp[app] = try decode(text, file)
            } catch let error as Untrusted {
                all.problems.append(.ignored("\(error)"))
            } catch let error as ManifestName.Problem {
                all.problems.append(.mistake("\(file): \(error)"))
            } catch {
                all.problems.append(.mistake("\(error)"))
            }
        }
    }
}

/// What some folders of manifests hold.
public struct Manifests<Manifest> {
    /// By the app that says it about itself.
    public fileprivate(set) var byApp: [AppIdentity: Manifest] = [:]
    /// What was left out, and why.
    public fileprivate(set) var problems: [ManifestProblem] = []
}

extension Manifests: Sendable where Manifest: Sendable {}

/// Why a manifest, or a folder of them, was left out: its path, its line where that is known, and the reason.
public enum ManifestProblem: Sendable, Hashable, CustomStringConvertible {
    /// Others could have written it, or it cannot be read. Worth a notice.
    case ignored(String)
    /// Its author or packager has something to mend: the name or what is in it. Worth an error.
    case mistake(String)

    /// One line, which begins with the path.
    public var description: String {
        switch self {
        case .ignored(let text), .mistake(let text): text
        }
    }
}
