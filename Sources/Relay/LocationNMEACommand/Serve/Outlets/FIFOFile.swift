internal import CLinux
internal import Glibc

/// A FIFO, for a program that reads a file: fifo(7).
///
/// Once made, it is used through its descriptor only. Attack: another user who may write in its folder replaces it with
/// a link to one of this program's files or with their own FIFO, and this program writes to that.
final class FIFOFile: ServedFile {
    /// The writing end. It is always open, so that a program that opens the other end does not wait.
    let descriptor: CInt
    /// F_GETPIPE_SZ of linux/fcntl.h, a macro that Swift does not import.
    private static let getPipeSize: CInt = 1032
    private let folder: CInt
    private let name: String
    /// The FIFO itself, even if another file replaces it at its path: O_PATH.
    private let node: CInt
    private let owner: uid_t?

    /// Makes the FIFO, at first readable only by the user of this process.
    ///
    /// - Parameters:
    ///   - path: Its absolute path. An existing FIFO is replaced; any other file is not.
    ///   - owner: The user who may read it once it is published, or `nil` for the user of this process.
    init(_ path: String, owner: uid_t?) throws(OutletFailure) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        name = String(path[slash...].dropFirst())
        folder = path_open_folder(slash == path.startIndex ? "/" : String(path[..<slash]))
        guard folder >= 0 else { throw OutletFailure("the folder of \(path)", -folder) }
        do throws(OutletFailure) {
            node = try Self.make(name, in: folder, path)
        } catch {
            Glibc.close(folder)
            throw error
        }
        do throws(OutletFailure) {
            descriptor = try Self.openToWrite(node)
        } catch {
            Glibc.close(node)
            Glibc.close(folder)
            throw error
        }
        self.owner = owner
    }

    /// Gives the FIFO to its owner.
    func publish() throws(OutletFailure) {
        guard let owner, owner != geteuid() else { return }
        // Its owner reads. This program, then only in the file's group, writes and discards.
        guard chmod(watchedPath, 0o460) == 0 else { throw OutletFailure("the mode of \(name)", errno) }
        try give(node, to: owner)
    }

    deinit {
        if let current = Self.status(of: name, in: folder), let own = Self.status(of: "", in: node),
            (current.device, current.inode) == (own.device, own.inode)
        {
            unlinkat(folder, name, 0)
        }
        for descriptor in [descriptor, node, folder] { Glibc.close(descriptor) }
    }

    /// A path that always leads to the FIFO that this object has made.
    var watchedPath: String { "/proc/self/fd/\(node)" }

    /// Makes the FIFO. Returns a descriptor of it, never of a file that has replaced it since.
    private static func make(_ name: String, in folder: CInt, _ path: String) throws(OutletFailure) -> CInt {
        if let existing = status(of: name, in: folder) {
            guard existing.type & S_IFMT == S_IFIFO else {
                throw OutletFailure(description: "\(path) is not a FIFO: another program has made it")
            }
            unlinkat(folder, name, 0)
        }
        guard mkfifoat(folder, name, 0o600) == 0 else { throw OutletFailure("\(path) cannot be made", errno) }
        let node = path_open_in(folder, name)
        guard node >= 0 else { throw OutletFailure("\(path) cannot be opened", -node) }
        var facts = stat()
        guard fstat(node, &facts) == 0, facts.st_mode == S_IFIFO | 0o600, facts.st_uid == geteuid() else {
            Glibc.close(node)
            throw OutletFailure(description: "\(path) was replaced by another file")
        }
        return node
    }

    private static func status(of name: String, in folder: CInt) -> file_status? {
        var status = file_status()
        return file_status_read(folder, name, 0, &status) == 0 ? status : nil
    }

    /// Opens the writing end. That fails without a reader, so this function provides one in the meantime.
    private static func openToWrite(_ node: CInt) throws(OutletFailure) -> CInt {
        let path = "/proc/self/fd/\(node)"
        let both = Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard both >= 0 else { throw OutletFailure("the FIFO cannot be opened", errno) }
        defer { Glibc.close(both) }
        let writing = Glibc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard writing >= 0 else { throw OutletFailure("the FIFO cannot be opened", errno) }
        return writing
    }

    /// Attack: the owner removes the read permission, so that unread bytes remain; or writes without end, and this
    /// program reads without end. So it fails after reading the FIFO's capacity.
    func discardUnread() -> Bool {
        let reading = Glibc.open(watchedPath, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard reading >= 0 else { return false }
        defer { Glibc.close(reading) }
        var left = Int(fcntl(reading, Self.getPipeSize))
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while left >= 0 {
            let count = read(reading, &bytes, bytes.count)
            guard count > 0 else { return count == 0 || errno == EAGAIN }
            left -= count
        }
        return false
    }

    var isPristine: Bool { true }
}
