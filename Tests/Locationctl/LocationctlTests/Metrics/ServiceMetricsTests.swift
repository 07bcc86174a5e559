import LocationModel
import LocationProtocol
import Publishing
import Testing

@testable import LocationctlCommands

/// The metrics from the daemon's values.
@Suite struct ServiceMetricsTests {
    /// A receiver with all values for metrics, and with values that no metric may reveal.
    private var receiver: ReceiverSummary {
        var receiver = ReceiverSummary(
            name: "gps", specification: "fixed:48.20849,16.37208,171", state: .running, fixes: 7)
        receiver.inUse = true
        receiver.fixAge = 0.5
        receiver.clockOffset = -0.125
        receiver.horizontalAccuracy = 2.5
        receiver.satellitesUsed = 9
        receiver.jamming = JammingReport(level: .warning, indicator: 40)
        receiver.doubts = FixDoubts([.jamming])
        receiver.message = "at 48.20849"
        receiver.dropped = [DroppedInput(reason: .wrongChecksum, count: 3)]
        receiver.epochs = 8
        receiver.losses = 2
        receiver.battery = 80
        return receiver
    }

    private func service(statistics: Statistics) -> ServiceMetrics.Service {
        ServiceMetrics.Service(
            statistics: statistics, services: GetServices.Reply(machine: true, user: false), receivers: [receiver],
            prompts: 1, apps: DashboardSamples.apps)
    }

    private var statistics: Statistics {
        var statistics = Statistics(version: "1.2.3")
        statistics.uptime = 60.5
        statistics.connections = 4
        statistics.sessions = 3
        statistics.fixes = 999
        statistics.delivered = 11
        statistics.replaced = 1
        statistics.refused = 2
        statistics.failedWrites = 0
        statistics.time = TimeStatistics(socket: "/run/chrony", samples: 6)
        return statistics
    }

    private func lines(_ metrics: ServiceMetrics) -> [String] {
        MetricsText.openmetrics.text(metrics.families).split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("#") }
    }

    @Test func all() {
        let metrics = ServiceMetrics(
            hasDetails: true, service: service(statistics: statistics),
            publisher: PublisherStatus(connection: "Connected to mqtts://broker:8883", waiting: 12, refused: 2))
        #expect(
            lines(metrics) == [
                "locationd_up 1", "locationd_build_info{version=\"1.2.3\"} 1", "locationd_uptime_seconds 60.5",
                "locationd_services_enabled 1", "locationd_connections 4", "locationd_subscriptions 3",
                "locationd_prompts 1", "locationd_deliveries_total 11", "locationd_replaced_updates_total 1",
                "locationd_refusals_total 2", "locationd_failed_writes_total 0", "locationd_time_samples_total 6",
                "locationd_receivers{state=\"stopped\"} 0", "locationd_receivers{state=\"resting\"} 0",
                "locationd_receivers{state=\"connecting\"} 0", "locationd_receivers{state=\"searching\"} 0",
                "locationd_receivers{state=\"running\"} 1", "locationd_receivers{state=\"lost\"} 0",
                "locationd_receivers{state=\"ended\"} 0", "locationd_receiver_losses_total{receiver=\"gps\"} 2",
                "locationd_receiver_in_use{receiver=\"gps\"} 1",
                "locationd_receiver_fixes_total{receiver=\"gps\"} 7",
                "locationd_receiver_epochs_total{receiver=\"gps\"} 8",
                "locationd_receiver_dropped_input_total{receiver=\"gps\",reason=\"wrongChecksum\"} 3",
                "locationd_receiver_fix_age_seconds{receiver=\"gps\"} 0.5",
                "locationd_receiver_accuracy_meters{receiver=\"gps\"} 2.5",
                "locationd_receiver_satellites{receiver=\"gps\"} 9",
                "locationd_receiver_clock_offset_seconds{receiver=\"gps\"} -0.125",
                "locationd_receiver_jamming_indicator{receiver=\"gps\"} 40",
                "locationd_receiver_suspect{receiver=\"gps\",reason=\"jamming\"} 1",
                "locationd_receiver_battery_percent{receiver=\"gps\"} 80",
                "locationd_apps{status=\"notDetermined\"} 0", "locationd_apps{status=\"restricted\"} 0",
                "locationd_apps{status=\"denied\"} 1", "locationd_apps{status=\"authorizedWhenInUse\"} 3",
                "locationd_apps{status=\"authorizedAlways\"} 1", "locationd_publisher_connected 1",
                "locationd_publisher_queue_reports 12", "locationd_publisher_refused_reports 2",
            ])
    }

    /// Attack: a reader of the metrics looks for the place of a stationary receiver, and for the names of apps.
    @Test func neitherPlacesNorAppsAreNamed() {
        let text = lines(ServiceMetrics(service: service(statistics: statistics))).joined()
        #expect(!text.contains("48.2") && !text.contains("16.3"))
        for app in DashboardSamples.apps { #expect(!text.contains(app.app)) }
    }

    /// Attack: a reader of the metrics learns when the sky opens, and how far an app with a distance filter was
    /// carried.
    @Test func nothingChangesWithTheSkyOrWithMovement() {
        let apps = ServiceMetrics.Apps(
            log: [DashboardSamples.deliveries(DashboardSamples.maps, hoursAgo: 1, 5)],
            uses: [DashboardSamples.use(DashboardSamples.maps, minutesAgo: 2)], now: DashboardSamples.time(0))
        let text = lines(ServiceMetrics(service: service(statistics: statistics), apps: apps)).joined(separator: "\n")
        for name in [
            "fix", "accuracy_meters", "satellites", "offset", "epochs", "dropped", "in_use", "jamming", "suspect",
            "deliveries", "replaced", "samples", "last_use",
        ] {
            #expect(!text.contains(name), "\(name)")
        }
        #expect(text.contains("locationd_receiver_losses_total{receiver=\"gps\"} 2"))
    }

    @Test func appsAreNamedOnRequest() {
        let apps = ServiceMetrics.Apps(
            log: [
                DashboardSamples.deliveries(DashboardSamples.maps, hoursAgo: 1, 5),
                DashboardSamples.deliveries(DashboardSamples.maps, hoursAgo: 2, 7, background: true),
            ], uses: [DashboardSamples.use(DashboardSamples.maps, minutesAgo: 2)], now: DashboardSamples.time(0))
        let named = lines(ServiceMetrics(hasDetails: true, service: service(statistics: statistics), apps: apps))
            .filter { $0.hasPrefix("locationd_app_") && $0.contains("gnome") }
        let uid = DashboardSamples.key(DashboardSamples.maps).uid
        let labels = "app=\"flatpak:org.gnome.Maps\",uid=\"\(uid)\""
        #expect(
            named == [
                "locationd_app_authorization{\(labels),status=\"authorizedWhenInUse\",accuracy=\"full\"} 1",
                "locationd_app_connections{\(labels)} 0", "locationd_app_subscriptions{\(labels)} 0",
                "locationd_app_deliveries{\(labels)} 12", "locationd_app_last_use_age_seconds{\(labels)} 120",
            ])
    }

    /// Values that only administrators get are absent, not 0.
    @Test func whatIsNotRevealedIsAbsent() {
        let text = lines(
            ServiceMetrics(hasDetails: true, service: service(statistics: Statistics(version: "1")))
        ).joined()
        for name in ["deliveries", "refusals", "replaced", "failed_writes", "time_samples", "publisher"] {
            #expect(!text.contains("locationd_\(name)"))
        }
    }

    @Test func aServiceThatIsDown() {
        let publisher = PublisherStatus(connection: "No connection to mqtt://a; 5 reports wait", waiting: 8)
        #expect(
            lines(ServiceMetrics(publisher: publisher)) == [
                "locationd_up 0", "locationd_publisher_connected 0", "locationd_publisher_queue_reports 8",
                "locationd_publisher_refused_reports 0",
            ])
        #expect(lines(ServiceMetrics()) == ["locationd_up 0"])
    }
}
