/// A kind of monitoring, other than of regions, that an app can keep while it is not connected.
enum MonitoringKind: String, CaseIterable, Sendable {
    case significantChanges, visits
}
