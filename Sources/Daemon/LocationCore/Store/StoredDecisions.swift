internal import AuthorizationPolicy
internal import GRDB
internal import LocationModel

/// The contents of the tables `decision` and `servicesOff`, as far as the rows match their checksums.
struct StoredDecisions {
    private(set) var decisions: [AppKey: Decision] = [:]
    /// The rows of `decision` that grant nothing, each as `uid app`.
    private(set) var unmatched: [String] = []
    /// The apps with several rows, each with the keys of these rows as stored.
    private(set) var repeated: [AppKey: [AppKey]] = [:]
    private(set) var switchedOff: Set<UInt32?> = []
    /// The limits of desktops, by the agents that set them.
    private(set) var desktopLimits: [AppKey: DesktopLimit] = [:]
    /// A Boolean value indicating whether a row of `servicesOff` or `desktopLimit` does not match.
    private(set) var hasUnmatchedSwitch = false

    init(_ database: Database, _ checksum: RowChecksum) throws {
        let rows = try Row.fetchCursor(database, sql: "SELECT \(DecisionRow.columns), checksum FROM decision")
        while let row = try rows.next() {
            guard let (key, decision) = DecisionRow.parse(row),
                Int64.fromDatabaseValue(row["checksum"]) == checksum.checksum(of: decision, about: key)
            else {
                unmatched.append(DecisionRow.name(row))
                continue
            }
            add(decision, about: key)
        }
        for row in try Row.fetchAll(database, sql: "SELECT uid, checksum FROM servicesOff") {
            if let off = ServicesOffRow(row, checksum) {
                switchedOff.insert(off.user)
            } else {
                hasUnmatchedSwitch = true
            }
        }
        try readLimits(database, checksum)
    }

    /// Reads the limits of desktops.
    private mutating func readLimits(_ database: Database, _ checksum: RowChecksum) throws {
        for row in try Row.fetchAll(database, sql: "SELECT \(DesktopLimit.columns) FROM desktopLimit") {
            if let (agent, limit) = DesktopLimit.parse(row, checksum) {
                desktopLimits[agent] = limit
            } else {
                hasUnmatchedSwitch = true
            }
        }
    }

    /// Adds a decision. Of two decisions about one app, only the common part of their grants takes effect.
    private mutating func add(_ decision: Decision, about key: AppKey) {
        guard let index = decisions.index(forKey: key) else {
            decisions[key] = decision
            return
        }
        let (first, other) = decisions[index]
        repeated[first, default: [first]].append(key)
        decisions[first] = Decision.common(other, decision)
    }

    /// Returns the authorizations in effect. Location services are off for all users if the user of any switch is
    /// unknown.
    func table(firstRevision: UInt64) -> AuthorizationTable {
        AuthorizationTable(
            decisions: decisions, machineServicesEnabled: !switchedOff.contains(nil) && !hasUnmatchedSwitch,
            usersWithServicesDisabled: Set(switchedOff.compactMap(\.self)), desktopLimits: desktopLimits,
            firstRevision: firstRevision)
    }

    /// Leaves one row for each app that has several. Otherwise a revocation would delete one of them, and the next
    /// start would find another.
    func removeRepeated(_ checksum: RowChecksum, from database: Database) throws {
        for (app, keys) in repeated {
            for key in keys { try DecisionRow.delete(key, from: database) }
            if let decision = decisions[app] {
                try DecisionRow.insert(decision, about: app, checksum, into: database)
            }
        }
    }

    // MARK: Notices for the log

    /// The maximum number of apps that a notice names.
    private static let namedApps = 8

    /// Returns the notices about rows that do not match, with what to do about them.
    func notices(_ path: String) -> [String] {
        var notices: [String] = []
        if !unmatched.isEmpty { notices.append(decisionsNotice(path)) }
        if hasUnmatchedSwitch {
            notices.append(
                """
                a services switch in the database \(path) does not match its checksum, so it is not known whose it is: \
                location services are off for everybody until root runs locationctl enable
                """)
        }
        return notices
    }

    private func decisionsNotice(_ path: String) -> String {
        let remedy = """
            locationctl grant and deny decide about an app again, locationctl reset forgets what was decided; the rows \
            stay as they are until then
            """
        let named = unmatched.prefix(Self.namedApps).joined(separator: ", ")
        let others = unmatched.count - Self.namedApps
        let apps = others > 0 ? "\(named), and \(others) others" : named
        guard decisions.isEmpty else {
            return """
                decisions in the database \(path) do not match their checksums, so they are damaged and grant nothing \
                (user and app: \(apps)): \(remedy)
                """
        }
        return """
            no decision in the database \(path) matches its checksum, so nothing is granted (user and app: \(apps)): \
            if the file named secret beside it was lost or replaced, put it back from a backup and start locationd \
            again; else \(remedy)
            """
    }
}
