package import LocationModel

/// The settings of the publisher, as stated in the configuration.
package struct PublisherSettings: Sendable, Equatable {
    /// The version of MQTT to use.
    package enum MQTTVersion: String, Sendable, CaseIterable {
        case mqtt311 = "3.1.1"
        case mqtt5 = "5"
    }

    /// The files for TLS.
    package struct TLSFiles: Sendable, Equatable {
        /// The certificates of trusted authorities, in PEM, or `nil` for the system's.
        package var authorities: String?
        /// This client's certificate, in PEM, or `nil` for none.
        package var certificate: String?
        /// The private key of the client's certificate, in PEM.
        package var key: String?

        /// A Boolean value indicating whether there is a certificate without its key.
        package var lacksKey: Bool { certificate != nil && key == nil }

        /// Creates settings without a client certificate, trusting the system's authorities.
        package init() {}
    }

    /// The server.
    package var broker: BrokerAddress
    /// The format of the messages.
    package var format: FormatName
    /// The name of this machine: 1 to 64 letters, digits, `_` and `-`.
    package var device: String
    /// The topic of the reports.
    package var topic: String
    /// The minimum time between two locations in seconds, or `nil` for each fix.
    package var interval: Double?
    /// The minimum distance between two locations in metres, or `nil` for any.
    package var distance: Double?
    /// The version of MQTT.
    package var mqttVersion = MQTTVersion.mqtt5
    /// The time without messages after which the connection is checked, in seconds.
    package var keepAlive = 60
    /// The files for TLS.
    package var tls = TLSFiles()
    /// A Boolean value indicating whether requests go through the environment's proxies.
    package var usesEnvironmentProxy = false
    /// The bounds of the queue.
    package var bounds = QueueBounds()
    /// A Boolean value indicating whether the queue is sent while location services are off.
    package var sendsWhileDisabled = false
    /// The regions whose crossings are published.
    package var regions: [CircularRegion] = []

    /// Creates settings with the default values, and the format's standard topic.
    package init(broker: BrokerAddress, format: FormatName, device: String) {
        self.broker = broker
        self.format = format
        self.device = device
        topic = format.standardTopic(device: device)
    }

    /// The format of the messages for this server.
    package var reportFormat: any ReportFormat {
        let made = format.format(topic: topic, device: device)
        return broker.scheme.isHTTP ? ReportsOnlyFormat(made) : made
    }
}

/// The bounds of the queue. When one is exceeded, the oldest reports are dropped.
package struct QueueBounds: Sendable, Equatable {
    /// The maximum number of reports.
    package var maximumCount: Int
    /// The maximum age of a report, in seconds since it was queued.
    package var maximumAge: Int
    /// The maximum size of all reports, in bytes. SQLite needs up to twice as much on the disk.
    package var maximumSize: Int

    /// Creates bounds. The defaults are a week, and a fix every second of a day.
    package init(maximumCount: Int = 100_000, maximumAge: Int = 7 * 86_400, maximumSize: Int = 64_000_000) {
        self.maximumCount = maximumCount
        self.maximumAge = maximumAge
        self.maximumSize = maximumSize
    }

    /// Returns whether a queue of this size must drop its oldest report.
    package func isExceeded(count: Int, size: Int) -> Bool {
        count > maximumCount || size > maximumSize
    }
}
