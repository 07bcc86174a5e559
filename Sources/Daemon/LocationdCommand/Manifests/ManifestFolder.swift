internal import AuthorizationPolicy
internal import CLinux
internal import Glibc
public import LocationModel

/// A folder of app manifests, with one file for each app: `KIND:NAME.toml`, where NAME is as in ``ManifestName``.
///
/// A prompt shows the texts of a manifest as words that the system has reviewed. So a folder or file counts only if no
/// user except root and the daemon's own could have written it, and symbolic links are not followed.
public struct ManifestFolder: Sendable {
    /// The maximum number of manifests in a folder. Files beyond it, in the order of their names, are left out.
    public static let maximumFiles = 4096
    /// The absolute path of the folder.
    public let path: String

    /// Creates a folder with an absolute path. It need not exist.
    public init(_ path: String) {
        self.path = path
    }

    /// Reads the manifests in several folders. A manifest in a later folder replaces an earlier one for the same app.
    ///
    /// - Parameter decode: Creates a manifest from the text of a file. The file's path is for use in errors. If this
    ///   throws, the file is left out, and the others are still read.
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
        let folder: OpenPath
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
        if files.count > Self.maximumFiles {
            all.problems.append(
                .ignored("\(path): has \(files.count) manifests; only the first \(Self.maximumFiles) are read"))
        }
        for name in files.prefix(Self.maximumFiles) {
            let file = "\(path)/\(name)"
            do {
                let app = try ManifestName.app(ofFile: name)
                let text = try trust.contents(of: name, in: folder, path: file, limit: AppManifest.maximumFileSize)
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

/// The manifests in some folders.
public struct Manifests<Manifest> {
    /// The manifests by app.
    public fileprivate(set) var byApp: [AppIdentity: Manifest] = [:]
    /// The problems that caused manifests or folders to be left out.
    public fileprivate(set) var problems: [ManifestProblem] = []
}

extension Manifests: Sendable where Manifest: Sendable {}

/// The reason why a manifest or a folder was left out, with the path and, if known, the line.
public enum ManifestProblem: Sendable, Hashable, CustomStringConvertible {
    /// Other users could have written it, it cannot be read, or there are too many files. Logged as a notice.
    case ignored(String)
    /// The name or the contents are wrong, and the author or packager has to fix them. Logged as an error.
    case mistake(String)

    /// The problem as one line, which begins with the path.
    public var description: String {
        switch self {
        case .ignored(let text), .mistake(let text): text
        }
    }
}
