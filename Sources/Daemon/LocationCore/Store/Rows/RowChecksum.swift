internal import AuthorizationPolicy
internal import LocationModel
internal import Positioning

/// The keyed checksum of each decision and services switch in the database, over all of its fields.
///
/// Attack, or accident: one flipped bit on the disk is enough for another app, another user, full accuracy, or a later
/// end of a decision, and SQLite reads it without an error. A row whose checksum does not match grants nothing. The key
/// is derived from the machine's secret: a row of another machine, or written by a user who cannot read the secret,
/// does not match either.
///
/// A user who can write the database can still replace it with an older one. That is not detected.
struct RowChecksum: Sendable {
    private let hash: SipHash

    /// - Parameter secret: The machine's secret. The key is derived, so the reducer's use is unaffected.
    init(secret: [UInt8]) {
        hash = SipHash(key: secret).derived(label: "rows of the database")
    }

    /// Returns the checksum of a decision.
    func checksum(of decision: Decision, about key: AppKey) -> Int64 {
        var fields = Fields("decision")
        fields.add(key)
        fields.add(decision.level.rawValue)
        fields.add(decision.accuracy.rawValue)
        fields.add(decision.lifetime.name)
        fields.add(decision.lifetime.end ?? 0)
        fields.add(decision.alwaysPromptSpent ? 1 : 0)
        return checksum(of: fields)
    }

    /// Returns the checksum of location services being off, for a user or, if `uid` is `nil`, for the machine.
    func checksum(ofServicesOffFor uid: UInt32?) -> Int64 {
        var fields = Fields("servicesOff")
        fields.add(uid.map(Int64.init) ?? -1)
        return checksum(of: fields)
    }

    /// Returns the checksum of the limit that an agent of a user's desktop sets.
    func checksum(of limit: DesktopLimit, by agent: AppKey) -> Int64 {
        var fields = Fields("desktopLimit")
        fields.add(agent)
        fields.add(limit.rawValue)
        return checksum(of: fields)
    }

    /// Returns the checksum of a process that has a grant for "once".
    func checksum(ofHolder process: ProcessStart, boot: String, of app: AppKey) -> Int64 {
        var fields = Fields("onceHolder")
        fields.add(app)
        fields.add(boot)
        fields.add(Int64(process.pid))
        fields.add(Int64(clamping: process.ticks))
        return checksum(of: fields)
    }

    private func checksum(of fields: Fields) -> Int64 { Int64(bitPattern: hash.hash(fields.bytes)) }

    /// Fields in sequence, such that no two rows have the same bytes: numbers in 8 bytes, texts with their length.
    private struct Fields {
        private(set) var bytes: [UInt8] = []

        /// - Parameter table: The table of the row, so that a row of one table does not match in another.
        init(_ table: String) { add(table) }

        mutating func add(_ number: Int64) {
            for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }

        mutating func add(_ app: AppKey) {
            add(Int64(app.uid))
            add(app.app.description)
        }

        mutating func add(_ text: String) {
            add(Int64(text.utf8.count))
            bytes += text.utf8
        }
    }
}
