/// What an app wants to be told of also while it is not connected.
enum MonitoringKind: String, CaseIterable, Sendable {
    case significantChanges, visits
}
