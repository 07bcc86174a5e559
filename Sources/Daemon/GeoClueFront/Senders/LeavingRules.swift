/// The match rules that make the bus report when a connection leaves it.
///
/// Each connection that has called gets a rule of its own, so that the daemon does not wake up when other programs
/// leave the bus. Attack: the connections of two users use up the rules that the bus allows the daemon (512), and the
/// daemon never learns that a third user's connections have left. So beyond a number of connections, one rule for all
/// replaces further rules.
struct LeavingRules {
    /// The maximum number of rules for single connections.
    static let maximumCount = 256

    /// A change of the rules.
    enum Change: Equatable {
        case add(rule: String)
        case remove(rule: String)
    }

    /// The connections that have a rule of their own.
    private var single: Set<String> = []
    /// The connections that rely on the rule for all.
    private var others: Set<String> = []

    /// Adds a connection by its unique name.
    mutating func add(_ name: String) -> [Change] {
        guard single.count >= Self.maximumCount else {
            return single.insert(name).inserted ? [.add(rule: Self.rule(name))] : []
        }
        let isFirst = others.isEmpty
        return others.insert(name).inserted && isFirst ? [.add(rule: Self.ruleForAll)] : []
    }

    /// Removes a connection.
    mutating func remove(_ name: String) -> [Change] {
        if single.remove(name) != nil { return [.remove(rule: Self.rule(name))] }
        guard others.remove(name) != nil, others.isEmpty else { return [] }
        return [.remove(rule: Self.ruleForAll)]
    }

    private static let ruleForAll =
        "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',arg2=''"

    /// A unique name consists of letters, digits, `_`, `-`, `.` and `:`, so it needs no quoting.
    private static func rule(_ name: String) -> String { ruleForAll + ",arg0='\(name)'" }
}
