import Foundation
import StateFiles
import TestSupport
import Testing

/// Encrypted files in the folder of a program's state.
@Suite struct SealedFilesTests {
    private let folder: TemporaryFolder
    private static let secret = [UInt8](0..<32)
    /// The bytes of a place, 48.1234567 and 11.1234567 degrees, as receivers have it.
    private let place: [UInt8] = [0x07, 0x07, 0xAF, 0x1C, 0x07, 0x57, 0xA1, 0x06]

    init() throws { folder = try TemporaryFolder() }

    private func files(_ secret: [UInt8] = secret, capacity: Int = 3) -> SealedFiles {
        SealedFiles(in: folder.path, secret: secret, purpose: "thing", capacity: capacity, maximumLength: 1000)
    }

    private var paths: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.map { folder.path + "/" + $0 }
    }

    private func bytes(_ path: String) -> [UInt8] { Array(FileManager.default.contents(atPath: path) ?? Data()) }

    private func setAge(_ path: String, seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000 - seconds)], ofItemAtPath: path)
    }

    @Test(arguments: [0, 8, 1000]) func whatIsWrittenIsRead(length: Int) throws {
        let content = [UInt8](repeating: 7, count: length)
        try files().write([1], of: "a")
        try files().write(content, of: "a")
        #expect(try files().read(of: "a") == content && files().read(of: "b") == nil)
        #expect(paths.count == 1)
        let mode = try FileManager.default.attributesOfItem(atPath: paths[0])[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func theOldestMakesRoom() throws {
        for (age, owner) in ["a", "b", "c"].enumerated() {
            try files().write([1], of: owner)
            for path in paths where try modified(path) > 2_000_000 { try setAge(path, seconds: 100 - Double(age)) }
        }
        try files().write([2], of: "d")
        #expect(paths.count == 3)
        #expect(try ["a", "b", "c", "d"].map { try files().read(of: $0) } == [nil, [1], [1], [2]])
    }

    @Test func oneOwnersFileIsRemoved() throws {
        for owner in ["a", "b"] { try files().write([1], of: owner) }
        try files().remove(of: "a")
        try files().remove(of: "c")
        #expect(try files().read(of: "a") == nil && files().read(of: "b") == [1])
        #expect(paths.count == 1)
    }

    /// Attack: the power is cut while a file is written, and the half of it outlasts the removal.
    @Test func whatAPowerCutLeavesIsRemoved() throws {
        try files().write([1], of: "a")
        try Data([1, 2]).write(to: URL(fileURLWithPath: paths[0] + ".new"))
        try files().remove(of: "a")
        #expect(paths.isEmpty)
    }

    /// Attack: a removal fails, and its caller says that everything is off the disk.
    @Test func aRemovalThatFailsIsReported() throws {
        try files().write([1], of: "a")
        let path = paths[0]
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: DirectoryFailure.self) { try files().remove(of: "a") }
        #expect(throws: DirectoryFailure.self) { try files().removeAll() }
    }

    private func modified(_ path: String) throws -> Double {
        let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        return date?.timeIntervalSince1970 ?? 0
    }

    @Test func filesOfOtherTimesAreRemoved() throws {
        try files().write([1], of: "a")
        try setAge(paths[0], seconds: 50)
        try files().removeAll(except: 999_950...1_000_000)
        #expect(!files().isEmpty)
        try files().removeAll(except: 999_951...1_000_000)
        #expect(files().isEmpty)
        try files().write([1], of: "a")
        try folder.write("other", to: "locationd.db")
        try files().removeAll()
        #expect(paths == [folder.path + "/locationd.db"])
    }

    // MARK: Attacks

    @Test("Attack: a thief has the folder without the secret, and looks for places and receivers.")
    func noPlaceIsOnTheDisk() throws {
        try files().write(place + place, of: "receiver 12345")
        let path = paths[0]
        #expect(!contains(bytes(path), place) && !contains(bytes(path), Array("receiver".utf8)))
        #expect(!path.hasSuffix("12345"))
        let other = [UInt8](1...32)
        // Without the secret, not even the name is found.
        #expect(try files(other).read(of: "receiver 12345") == nil)
        #expect(!files().isEmpty)
    }

    private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: part) }
    }

    @Test("Attack: an attacker with the disk gives one receiver the file of another one.")
    func filesAreNotExchanged() throws {
        try files().write(place, of: "a")
        let first = paths[0]
        try files().write([1], of: "b")
        let second = try #require(paths.first { $0 != first })
        try FileManager.default.removeItem(atPath: second)
        try FileManager.default.moveItem(atPath: first, toPath: second)
        #expect(throws: DirectoryFailure.self) { try files().read(of: "b") }
        #expect(paths.isEmpty)
    }

    @Test("Attack: an attacker with the disk changes a file.", arguments: [0, 12, 20, 35], [false, true])
    func changedFilesAreRemoved(index: Int, isCut: Bool) throws {
        try files().write(place, of: "a")
        var content = bytes(paths[0])
        if isCut { content.removeLast(content.count - index) } else { content[index] ^= 1 }
        try Data(content).write(to: URL(fileURLWithPath: paths[0]))
        let failure = #expect(throws: DirectoryFailure.self) { try files().read(of: "a") }
        #expect(failure?.description.contains("damaged or exchanged, and is removed") == true)
        #expect(paths.isEmpty)
        #expect(try files().read(of: "a") == nil)
    }

    @Test("Attack: a file is a link to another one, or too long.")
    func foreignFiles() throws {
        try files().write(place, of: "a")
        let path = paths[0]
        try Data(repeating: 1, count: 5000).write(to: URL(fileURLWithPath: path))
        #expect(throws: DirectoryFailure.self) { try files().read(of: "a") }
        try folder.write("secret", to: "other")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/other")
        #expect(throws: DirectoryFailure.self) { try files().read(of: "a") }
        try files().removeAll()
        #expect(bytes(folder.path + "/other") == Array("secret".utf8))
    }

    @Test("Attack: a thief gets the disk, with the blocks of what was deleted.", arguments: [false, true])
    func whatIsRemovedIsOverwritten(isReplaced: Bool) throws {
        try files().write(place, of: "a")
        let file = try #require(FileHandle(forReadingAtPath: paths[0]))
        if isReplaced { try files().write([1], of: "a") } else { try files().removeAll() }
        let rest = try #require(try file.readToEnd())
        #expect(!rest.isEmpty && rest.allSatisfy { $0 == 0 })
    }
}
