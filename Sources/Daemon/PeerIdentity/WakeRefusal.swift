/// A reason why an app is not started through its socket.
public struct WakeRefusal: Error, Equatable, CustomStringConvertible {
    /// The problem and its remedy, with the path.
    public let description: String
    /// A Boolean value indicating whether the line may have arrived all the same.
    public let mayHaveArrived: Bool
    /// The kind of file at the path instead of the socket, for the log of a process that may look everywhere. `nil` if
    /// the description says everything.
    public let finding: String?

    /// Creates a refusal with this text.
    public init(description: String, mayHaveArrived: Bool = false, finding: String? = nil) {
        self.description = description
        self.mayHaveArrived = mayHaveArrived
        self.finding = finding
    }

    /// Returns the refusal of a path that is not a socket of the app.
    ///
    /// Attack: a sandboxed app, or an attacker who has taken over the daemon, tries path after path, and learns from
    /// the refusals which files exist: in the home folder of the app's user, and with another user's ID, or root's, in
    /// all others. So there is one text for a file that is missing, hidden, of another kind or of another user.
    static func notListening(_ path: String, _ uid: UInt32, finding: String) -> WakeRefusal {
        let description = """
            \(path) is not a stream socket on which user \(uid) listens: give the socket's own path, without symbolic \
            links and through folders that the user may search, and listen there (ListenStream=\(path) in a systemd \
            .socket unit of the user)
            """
        return WakeRefusal(description: description, finding: finding)
    }
}
