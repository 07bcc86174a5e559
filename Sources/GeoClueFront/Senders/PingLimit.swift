internal import LocationModel

/// The calls of `Peer.Ping` that are not answered yet.
///
/// Attack: connections never answer. The bus counts such calls as long as the connections live, and allows the daemon
/// 128 (max_replies_per_connection): then it could not ask a desktop for its switch. So those of one user are few, and
/// those of one app fewer.
struct PingLimit {
    static let maximumPerApp = 2
    static let maximumPerUser = 8

    private var open: [AppKey: Int] = [:]

    /// Counts a call to an app. Returns `false` if there are too many.
    mutating func enter(_ app: AppKey) -> Bool {
        guard open[app, default: 0] < Self.maximumPerApp,
            open.reduce(0, { $1.key.uid == app.uid ? $0 + $1.value : $0 }) < Self.maximumPerUser
        else { return false }
        open[app, default: 0] += 1
        return true
    }

    /// Counts the end of a call.
    mutating func leave(_ app: AppKey) { open[app] = open[app].flatMap { $0 > 1 ? $0 - 1 : nil } }
}
