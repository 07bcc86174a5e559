internal import LocationModel
internal import LocationProtocol

/// The metrics of each app, by its name and user.
struct AppMetrics {
    let apps: [AppSummary]
    let log: [AccessLogEntry]
    let uses: [IndicatorEntry]
    /// The present time.
    let now: Timestamp

    /// Returns the metrics.
    ///
    /// Attack: the deliveries to an app with a distance filter, and their times, reveal how far the machine moves.
    func families(hasDetails: Bool) -> [MetricFamily] {
        var authorization = MetricFamily(
            "locationd_app_authorization", .gauge,
            "The status and the accuracy that were decided for the app; always 1.")
        var connections = MetricFamily("locationd_app_connections", .gauge, "Open connections of the app.")
        var subscriptions = MetricFamily("locationd_app_subscriptions", .gauge, "Open subscriptions of the app.")
        for app in apps {
            authorization.add(
                1,
                [
                    "app": app.app, "uid": "\(app.uid)", "status": app.decided.rawValue,
                    "accuracy": app.accuracy.rawValue,
                ])
            connections.add(app.connections, ["app": app.app, "uid": "\(app.uid)"])
            subscriptions.add(app.sessions, ["app": app.app, "uid": "\(app.uid)"])
        }
        guard hasDetails else { return [authorization, connections, subscriptions] }
        var deliveries = MetricFamily(
            "locationd_app_deliveries", .gauge, "Deliveries to the app in the last 30 days, by the access log.")
        for entry in log { deliveries.add(entry.deliveries, ["app": entry.app, "uid": "\(entry.uid)"]) }
        var age = MetricFamily(
            "locationd_app_last_use_age_seconds", .gauge,
            "The time since the last delivery to the app, within 24 hours.")
        for use in uses {
            let milliseconds = now.millisecondsSince1970 - use.lastUse.millisecondsSince1970
            age.add(max(0, Double(milliseconds) / 1000), ["app": use.app, "uid": "\(use.uid)"])
        }
        return [authorization, connections, subscriptions, deliveries, age]
    }
}
