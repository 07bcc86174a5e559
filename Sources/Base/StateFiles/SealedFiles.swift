internal import Glibc

/// Small files in the folder of a program's state, one for each owner, encrypted with keys from the machine's secret.
///
/// Attack: a thief gets a copy of the folder without the secret, and reads where the machine was; or an attacker who
/// can write to it puts one owner's file in another's place. Each owner has a key of their own, which the file's name does
/// not reveal. A file that is not authentic is removed, and nothing of it is used.
///
/// All functions wait for the disk.
package struct SealedFiles: Sendable {
    private let folder: String
    private let secret: [UInt8]
    private let purpose: String
    private let capacity: Int
    private let maximumLength: Int

    /// - Parameters:
    ///   - folder: The folder. It exists, and is closed to other users.
    ///   - purpose: The beginning of the files' names, which is a part of the keys.
    ///   - capacity: The greatest number of files. The oldest ones make room for others.
    ///   - maximumLength: The greatest length of a content, in bytes.
    package init(in folder: String, secret: [UInt8], purpose: String, capacity: Int, maximumLength: Int) {
        (self.folder, self.secret, self.purpose) = (folder, secret, purpose)
        (self.capacity, self.maximumLength) = (capacity, maximumLength)
    }

    /// Returns the content of the owner's file, or `nil` if there is none. If the file is not authentic, removes it and
    /// throws.
    package func read(of owner: String) throws -> [UInt8]? {
        let cipher = try StateCipher(secret: secret, of: owner, purpose: purpose)
        let path = path(cipher)
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw DirectoryFailure("\(path) cannot be read", errno)
        }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: maximumLength + StateCipher.overhead + 1)
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count >= 0, count < bytes.count, let content = cipher.open(Array(bytes.prefix(count)), number: 0) else {
            try? remove(path)
            throw DirectoryFailure(description: "\(path) was damaged or exchanged, and is removed")
        }
        return content
    }

    /// Writes the owner's file, in the place of an older one. A content that is too long is a programming error.
    package func write(_ content: [UInt8], of owner: String) throws {
        precondition(content.count <= maximumLength, "the content is too long")
        let cipher = try StateCipher(secret: secret, of: owner, purpose: purpose)
        let path = path(cipher)
        let others = paths.filter { $0 != path }.sorted { modified($0) < modified($1) }
        for other in others.dropLast(capacity - 1) { try? remove(other) }
        let old = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        defer { overwrite(old) }
        try replaceFile(path, with: cipher.seal(content, number: 0))
    }

    /// Removes the owner's file, if there is one, and what a power cut has left of writing it. Throws if it stays.
    package func remove(of owner: String) throws {
        let path = path(try StateCipher(secret: secret, of: owner, purpose: purpose))
        try remove([path, path + ".new"])
    }

    /// A Boolean value indicating whether there are files.
    package var isEmpty: Bool { paths.isEmpty }

    /// Removes the files, except those that were written at these times, in seconds since 1970. Throws if one stays.
    package func removeAll(except times: ClosedRange<Int>? = nil) throws {
        try remove(paths.filter { times?.contains(modified($0)) != true })
    }

    /// Removes all of these files that can be removed, then throws the first failure.
    private func remove(_ paths: [String]) throws {
        let results = paths.map { path in Result { try remove(path) } }
        for result in results { try result.get() }
    }

    private func path(_ cipher: StateCipher) -> String {
        let name = cipher.check.prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return "\(folder)/\(purpose)-\(name)"
    }

    /// The paths of all files, with those that a power cut has left half written.
    private var paths: [String] {
        (fileNames(in: folder) ?? []).filter { $0.hasPrefix(purpose + "-") }.map { "\(folder)/\($0)" }
    }

    private func modified(_ path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mtim.tv_sec : 0
    }

    private func remove(_ path: String) throws {
        overwrite(open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK))
        guard unlink(path) < 0, errno != ENOENT else { return }
        throw DirectoryFailure("\(path) cannot be removed", errno)
    }

    /// Overwrites and closes a file, if it is open.
    ///
    /// Attack: a thief gets the disk, and with it the files that were deleted but not overwritten.
    private func overwrite(_ file: CInt) {
        guard file >= 0 else { return }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        let zeros = [UInt8](repeating: 0, count: min(status.st_size, maximumLength + StateCipher.overhead))
        if pwrite(file, zeros, zeros.count, 0) >= 0 { fdatasync(file) }
    }
}
