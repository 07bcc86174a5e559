/// The Unix stream socket between the daemon and `locationd-ntrip`. The program writes a line with the name of a
/// receiver, which is empty for any receiver, and then frames of RTCM 3, one after the other, and nothing else. The
/// daemon writes a ``Need`` after that line, and whenever it changes.
package enum CorrectionsSocket {
    /// The name of the descriptor that the service manager passes.
    package static let name = "io.locationd.Corrections"
    /// The maximum length of a receiver's name, in bytes.
    package static let maximumName = 256

    /// Returns the path of the socket in a runtime directory.
    package static func path(in directory: String) -> String { "\(directory)/\(name)" }

    /// Returns the program's first line for a receiver's name, or for any receiver.
    package static func greeting(receiver: String?) -> [UInt8] { Array("\(receiver ?? "")\n".utf8) }

    /// The daemon's need for corrections.
    package enum Need: Sendable, Equatable {
        /// An app needs better than 10 m, and the receiver takes corrections.
        case needed
        case unneeded
        /// The named receiver does not exist, or takes no corrections. The text names those that do.
        case refused(String)

        /// The bytes on the socket: a digit, or a line.
        package var bytes: [UInt8] {
            switch self {
            case .needed: [UInt8(ascii: "1")]
            case .unneeded: [UInt8(ascii: "0")]
            case .refused(let reason): Array("!\(String(reason.map { $0.isNewline ? " " : $0 }))\n".utf8)
            }
        }
    }

    /// Reads needs from the daemon's bytes.
    package struct NeedReader: Sendable {
        /// The maximum length of a reason, in bytes. The rest of a longer one is dropped.
        private static let maximumReason = 1024

        /// The bytes of a reason so far, or `nil` outside of one.
        private var reason: [UInt8]?

        package init() {}

        /// Consumes a byte, and returns the need that it completes, or `nil`.
        package mutating func receive(_ byte: UInt8) -> Need? {
            guard let text = reason else {
                if byte == UInt8(ascii: "!") { reason = [] }
                return byte == UInt8(ascii: "1") ? .needed : byte == UInt8(ascii: "0") ? .unneeded : nil
            }
            if byte == UInt8(ascii: "\n") {
                reason = nil
                return .refused(String(decoding: text, as: UTF8.self))
            }
            if text.count < Self.maximumReason { reason?.append(byte) }
            return nil
        }
    }
}
