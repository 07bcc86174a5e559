/// The Unix stream socket between the daemon and `locationd-ntrip`. The program writes frames of RTCM 3, one after the
/// other, and nothing else. The daemon writes a byte whenever the need changes, and at the beginning.
package enum CorrectionsSocket {
    /// The name of the descriptor that the service manager passes.
    package static let name = "io.locationd.Corrections"
    /// An app needs better than 10 m, and a receiver takes corrections.
    package static let needed = UInt8(ascii: "1")
    package static let unneeded = UInt8(ascii: "0")

    /// Returns the path of the socket in a runtime directory.
    package static func path(in directory: String) -> String { "\(directory)/\(name)" }
}
