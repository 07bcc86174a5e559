/// The text for the protocols through which an app is connected.
enum FrontText {
    /// Returns the protocols that are not the daemon's own, separated by commas. The names are the daemon's.
    static func foreign(_ fronts: [String]) -> String {
        fronts.filter { $0 != "varlink" }.joined(separator: ", ")
    }
}
