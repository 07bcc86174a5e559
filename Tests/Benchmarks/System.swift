import CLinux
import Glibc

/// A failure of something that the benchmark needs.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Describes a failed system call.
    init(_ call: String, errno code: CInt) {
        description = "\(call): \(String(cString: strerror(code)))"
    }
}

/// Returns the time of CLOCK_MONOTONIC in nanoseconds.
func monotonicNow() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// Sleeps for this many milliseconds.
func sleep(milliseconds: Int) {
    var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
    nanosleep(&time, nil)
}

/// Polls until a condition holds. Throws if it does not hold in time.
func wait(
    for what: String, seconds: Int = 20, stepMicroseconds: useconds_t = 200, _ condition: () throws -> Bool
) throws {
    let deadline = monotonicNow() + Int64(seconds) * 1_000_000_000
    while try !condition() {
        guard monotonicNow() < deadline else { throw Failure("timed out waiting for \(what)") }
        usleep(stepMicroseconds)
    }
}

/// Returns the contents of a file of at most 64 kB.
func contents(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw Failure("open(\(path))", errno: errno) }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
}

/// Writes a file.
func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "w") else { throw Failure("open(\(path))", errno: errno) }
    defer { fclose(file) }
    guard fputs(text, file) >= 0 else { throw Failure("write(\(path))", errno: errno) }
}

/// A pseudo-terminal in place of a serial port: bytes written to it can be read at `path`.
final class PseudoTerminal {
    let path: String
    let master: CInt

    init() throws {
        var name = [CChar](repeating: 0, count: Int(TTY_PATH_SIZE))
        master = pty_open(&name)
        guard master >= 0 else { throw Failure("pty", errno: -master) }
        path = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        chmod(path, 0o666)  // gpsd drops root's privileges
    }

    deinit { close(master) }

    /// Sends a burst in one write, after dropping what the program has written to its receiver. Returns the time of
    /// the write.
    func send(_ bytes: [UInt8]) throws -> Int64 {
        var dropped = [UInt8](repeating: 0, count: 4096)
        while read(master, &dropped, dropped.count) > 0 {}
        let start = monotonicNow()
        guard write(master, bytes, bytes.count) == bytes.count else { throw Failure("write(pty)", errno: errno) }
        return start
    }
}

/// A temporary folder, removed on deinit.
final class Folder {
    let path: String

    init() throws {
        var template = Array("/tmp/locationd-bench-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Failure("mkdtemp", errno: errno) }
        path = String(cString: made)
    }

    deinit { removeTree(path) }

    private func removeTree(_ path: String) {
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = entry.name
                if name != ".", name != ".." { removeTree(path + "/" + name) }
            }
            closedir(folder)
        }
        remove(path)
    }
}

extension UnsafeMutablePointer<dirent> {
    /// The name of the entry.
    var name: String {
        withUnsafePointer(to: &pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
    }
}
