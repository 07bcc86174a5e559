internal import LocationModel
internal import LocationProtocol
internal import Publishing

/// The values for the metrics. None of them reveals where the machine is or was.
struct ServiceMetrics {
    /// The values that the daemon has reported.
    struct Service {
        var statistics: Statistics
        var services: GetServices.Reply
        /// The receivers as others see them.
        var receivers: [ReceiverSummary]
        /// The number of prompts that wait for an answer.
        var prompts: Int
        var apps: [AppSummary]
    }

    /// The details of each app, in addition to ``Service/apps``.
    struct Apps {
        var log: [AccessLogEntry]
        var uses: [IndicatorEntry]
        /// The present time.
        var now: Timestamp
    }

    /// A Boolean value indicating whether there are metrics that change with the sky or with movement.
    var hasDetails = false
    /// The daemon's values, or `nil` if it cannot be reached.
    var service: Service?
    /// The values of each app, or `nil` if apps are only counted.
    var apps: Apps?
    /// The status of locationd-publish, or `nil` if it is not running.
    var publisher: PublisherStatus?

    /// The metrics.
    var families: [MetricFamily] {
        var up = MetricFamily("locationd_up", .gauge, "Whether locationd answers.")
        up.add(service == nil ? 0 : 1)
        guard let service else { return [up] + publishing }
        var families = [up]
        families += Self.state(service)
        families += Self.counts(service.statistics, hasDetails: hasDetails)
        families += ReceiverMetrics(receivers: service.receivers, hasDetails: hasDetails).families
        families += Self.numbers(service.apps)
        if let apps {
            families += AppMetrics(apps: service.apps, log: apps.log, uses: apps.uses, now: apps.now).families(
                hasDetails: hasDetails)
        }
        return families + publishing
    }

    private static func state(_ service: Service) -> [MetricFamily] {
        let statistics = service.statistics
        var build = MetricFamily("locationd_build_info", .gauge, "The version of locationd; always 1.")
        build.add(1, ["version": statistics.version])
        var uptime = MetricFamily("locationd_uptime_seconds", .gauge, "The time since locationd started.")
        uptime.add(statistics.uptime)
        var enabled = MetricFamily(
            "locationd_services_enabled", .gauge, "Whether location services are on for the whole machine.")
        enabled.add(service.services.machine ? 1 : 0)
        var connections = MetricFamily("locationd_connections", .gauge, "Open connections of apps.")
        connections.add(statistics.connections)
        var subscriptions = MetricFamily("locationd_subscriptions", .gauge, "Open subscriptions of apps.")
        subscriptions.add(statistics.sessions)
        var prompts = MetricFamily("locationd_prompts", .gauge, "Prompts that wait for an answer.")
        prompts.add(service.prompts)
        return [build, uptime, enabled, connections, subscriptions, prompts]
    }

    private static func counts(_ statistics: Statistics, hasDetails: Bool) -> [MetricFamily] {
        var deliveries = MetricFamily("locationd_deliveries", .counter, "Updates sent to apps.")
        deliveries.add(statistics.delivered)
        var replaced = MetricFamily(
            "locationd_replaced_updates", .counter, "Updates replaced by a newer one because the app did not read.")
        replaced.add(statistics.replaced)
        var refusals = MetricFamily("locationd_refusals", .counter, "Connections of apps that were refused.")
        refusals.add(statistics.refused)
        var writes = MetricFamily("locationd_failed_writes", .counter, "Changes that the disk did not take.")
        writes.add(statistics.failedWrites)
        var samples = MetricFamily("locationd_time_samples", .counter, "Times that were passed on to chrony.")
        samples.add(statistics.time?.samples)
        return hasDetails ? [deliveries, replaced, refusals, writes, samples] : [refusals, writes]
    }

    private static func numbers(_ apps: [AppSummary]) -> [MetricFamily] {
        var numbers = MetricFamily("locationd_apps", .gauge, "Apps that are connected or decided about, by status.")
        for status in AuthorizationStatus.allCases {
            numbers.add(apps.count { $0.decided == status }, ["status": status.rawValue])
        }
        return [numbers]
    }

    private var publishing: [MetricFamily] {
        var connected = MetricFamily(
            "locationd_publisher_connected", .gauge, "Whether locationd-publish is connected to its server.")
        connected.add(publisher.map { $0.isConnected ? 1 : 0 })
        var queue = MetricFamily(
            "locationd_publisher_queue_reports", .gauge, "Reports of locationd-publish that wait to be sent.")
        queue.add(publisher?.waiting)
        var refused = MetricFamily(
            "locationd_publisher_refused_reports", .gauge,
            "Reports of locationd-publish that its server has refused, and that are set aside.")
        refused.add(publisher?.refused)
        return [connected, queue, refused]
    }
}
