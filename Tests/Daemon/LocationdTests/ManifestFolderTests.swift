import AuthorizationPolicy
import Foundation
import LocationModel
import TestSupport
import Testing

@testable import LocationdCommand

/// Manifests from folders: which of them count, and which are left out and reported.
@Suite struct ManifestFolderTests {
    private let folder: TemporaryFolder
    private let system: String
    private let local: String
    private static let isRoot = geteuid() == 0

    init() throws {
        folder = try TemporaryFolder()
        system = folder.path + "/system"
        local = folder.path + "/local"
        for path in [system, local] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        for path in [folder.path, system, local] { chmod(path, 0o755) }
    }

    private struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    private func write(_ text: String, _ path: String, mode: mode_t = 0o644) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        chmod(path, mode)
    }

    /// Reads both folders. A text that begins with `bad` has a mistake in its second line.
    private func read() -> Manifests<String> {
        ManifestFolder.read([ManifestFolder(system), ManifestFolder(local)]) { text, file in
            guard !text.hasPrefix("bad") else { throw Mistake(description: "\(file):2: only good is allowed") }
            return text
        }
    }

    private func texts() -> [String: String] {
        Dictionary(uniqueKeysWithValues: read().byApp.map { ($0.key.description, $0.value) })
    }

    private func problems() -> [String] { read().problems.map(\.description) }

    @Test func theLaterFolderWins() throws {
        try write("vendor", system + "/flatpak:org.gnome.Maps.toml")
        try write("vendor", system + "/exe:usr-bin-foo.toml")
        try write("local", local + "/exe:usr-bin-foo.toml")
        try write("local", local + "/service:chrony.toml")
        try write("not one", local + "/README")
        try write("an editor's", local + "/.service:chrony.toml")
        try write("a package manager's", local + "/service:chrony.toml.dpkg-new")
        #expect(
            texts() == ["flatpak:org.gnome.Maps": "vendor", "exe:/usr/bin/foo": "local", "service:chrony": "local"])
        #expect(problems().isEmpty)
    }

    @Test func aFolderThatIsNotThereIsNone() {
        let none = ManifestFolder.read([ManifestFolder(folder.path + "/none/of/them")]) { text, _ in text }
        #expect(none.byApp.isEmpty && none.problems.isEmpty)
    }

    @Test func aMistakeLeavesTheOthers() throws {
        try write("vendor", system + "/app:b.toml")
        try write("bad", local + "/app:a.toml")
        try write("bad", local + "/app:b.toml")
        try write("good", local + "/app:c.toml")
        try write("good", local + "/maps.toml")
        #expect(texts() == ["app:b": "vendor", "app:c": "good"])
        let read = read()
        #expect(
            read.problems.prefix(2) == [
                .mistake("\(local)/app:a.toml:2: only good is allowed"),
                .mistake("\(local)/app:b.toml:2: only good is allowed"),
            ])
        #expect(read.problems.count == 3)
        #expect(
            read.problems.last?.description.hasPrefix("\(local)/maps.toml: the name does not identify an app") == true)
    }

    @Test func anEmptyFileIsLeftToTheDecoder() throws {
        try write("", local + "/app:a.toml")
        #expect(texts() == ["app:a": ""])
    }

    @Test func sizes() throws {
        let limit = AppManifest.maximumFileSize
        try write(String(repeating: "x", count: limit), local + "/app:a.toml")
        try write(String(repeating: "x", count: limit + 1), local + "/app:b.toml")
        #expect(texts().keys.sorted() == ["app:a"])
        #expect(problems() == ["\(local)/app:b.toml: has more than 65536 bytes"])
    }

    @Test func bytesThatAreNoText() throws {
        #expect(FileManager.default.createFile(atPath: local + "/app:a.toml", contents: Data([0x61, 0xff])))
        chmod(local + "/app:a.toml", 0o644)
        #expect(problems() == ["\(local)/app:a.toml: is not UTF-8"])
    }

    /// Attack: a file that others can write contains a text that looks to users like the system's own, reviewed words.
    @Test(arguments: [0o664, 0o646, 0o666] as [mode_t]) func aFileThatOthersCanWrite(mode: mode_t) throws {
        try write("mine", local + "/app:a.toml", mode: mode)
        try write("good", local + "/app:b.toml")
        #expect(texts() == ["app:b": "good"])
        #expect(problems().count == 1)
        #expect(problems().first?.hasPrefix("\(local)/app:a.toml: users other than its owner may write to it") == true)
        #expect(read().problems == [.ignored(problems()[0])])
    }

    /// Attack: the same by way of a folder. With the sticky bit, other users cannot replace existing files, but they
    /// can add new ones.
    @Test(arguments: [
        (0o775 as mode_t, false, true), (0o757, false, true), (0o1777, false, false), (0o775, true, true),
        (0o1777, true, true),
    ])
    func aFolderThatOthersCanWrite(mode: mode_t, isLast: Bool, isIgnored: Bool) throws {
        let place = isLast ? local : folder.path
        try write("mine", local + "/app:a.toml")
        chmod(place, mode)
        #expect(texts().isEmpty == isIgnored)
        #expect(problems().isEmpty == !isIgnored)
        for problem in problems() { #expect(problem.hasPrefix(place + ": users other than its owner")) }
    }

    @Test(.enabled(if: isRoot, "needs root"), arguments: ["/local/app:a.toml", "/local", ""])
    func whatAnotherUserOwns(place: String) throws {
        try write("mine", local + "/app:a.toml")
        try #require(chown(folder.path + place, 65_534, .max) == 0)
        #expect(texts().isEmpty)
        #expect(problems().contains("\(folder.path)\(place): is owned by user 65534: it must be owned by root"))
    }

    /// Attack: a link to a file that the daemon may read and others may not, or that others may write.
    @Test func links() throws {
        try write("good", folder.path + "/file")
        try #require(symlink(folder.path + "/file", local + "/app:a.toml") == 0)
        try #require(rename(system, folder.path + "/real") == 0 && symlink("real", system) == 0)
        try write("good", folder.path + "/real/app:b.toml")
        #expect(texts().isEmpty)
        #expect(
            problems() == [
                "\(system): is a symbolic link, which is not followed",
                "\(local)/app:a.toml: is a symbolic link, which is not followed",
            ])
    }

    @Test func whatIsNoFile() throws {
        try #require(mkdir(local + "/app:a.toml", 0o755) == 0)
        try #require(mkfifo(local + "/app:b.toml", 0o644) == 0)
        try #require(rmdir(system) == 0)
        try write("", system)
        #expect(
            problems() == [
                "\(system): is not a folder", "\(local)/app:a.toml: is not a regular file",
                "\(local)/app:b.toml: is not a regular file",
            ])
    }

    @Test func theNumberOfManifestsIsBounded() throws {
        for index in 0...ManifestFolder.maximumFiles { try write("", local + "/app:\(10_000 + index).toml") }
        let read = read()
        #expect(read.byApp.count == ManifestFolder.maximumFiles)
        #expect(read.problems.map(\.description) == ["\(local): has 4097 manifests; only the first 4096 are read"])
    }
}
