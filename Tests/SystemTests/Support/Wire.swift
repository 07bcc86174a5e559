import CLinux
import Glibc

/// A serial line: what is written here is read from the port at `path`.
final class Wire {
    let path: String
    private var master: CInt

    init() throws {
        var name = [CChar](repeating: 0, count: Int(TTY_PATH_SIZE))
        master = pty_open(&name)
        guard master >= 0 else { throw Overdue(what: "a pseudo-terminal") }
        path = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        chmod(path, 0o666)
    }

    deinit { unplug() }

    func write(_ text: String) { write(Array(text.utf8)) }

    /// Writes all of it; waits while the reader is behind.
    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        let deadline = ContinuousClock.now + .seconds(10)
        while !rest.isEmpty, ContinuousClock.now < deadline {
            rest = rest.dropFirst(put(rest))
            if !rest.isEmpty { usleep(1000) }
        }
    }

    /// Writes as a receiver does to which nobody may be listening: what finds no room is lost.
    func offer(_ text: String) { _ = put(Array(text.utf8)[...]) }

    /// How many bytes the line took.
    private func put(_ bytes: ArraySlice<UInt8>) -> Int {
        max(0, bytes.withUnsafeBytes { Glibc.write(master, $0.baseAddress, $0.count) })
    }

    /// The device goes away.
    func unplug() {
        if master >= 0 { close(master) }
        master = -1
    }
}

/// What a receiver sends.
enum Sentences {
    /// The `second`-th epoch of a track to the north, begun anew every 2,000 s, from 47° 30' N 8° 45' E, beginning 2026-06-01T12:00:00Z.
    static func epoch(_ second: Int) -> String {
        let time = String(120000 + second / 3600 * 10000 + second / 60 % 60 * 100 + second % 60)
        let minutes = 30 + Double(second % 2000) * 0.01
        let whole = Int((minutes * 100_000).rounded())
        let fraction = String(String(whole % 100_000 + 100_000).dropFirst())
        let latitude = "47\(whole / 100_000).\(fraction)"
        return sentence("GPRMC,\(time).00,A,\(latitude),N,00845.00000,E,10.0,0.0,010626,,,A")
            + sentence("GPGGA,\(time).00,\(latitude),N,00845.00000,E,1,09,0.9,400.0,M,47.0,M,,")
    }

    /// A sentence with its checksum and line end.
    static func sentence(_ body: String) -> String {
        let sum = body.utf8.reduce(0, ^)
        return "$\(body)*" + (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true) + "\r\n"
    }

    /// What the location's timestamp is in that epoch.
    static func timestamp(_ second: Int) -> String {
        func two(_ value: Int) -> String { String(String(100 + value).dropFirst()) }
        return "2026-06-01T\(two(12 + second / 3600)):\(two(second / 60 % 60)):\(two(second % 60)).000Z"
    }
}
