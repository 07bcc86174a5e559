internal import LocationModel
internal import Logging
internal import Publishing
internal import ServiceSupport

/// The contents of the configuration file. locationd-publish(8) describes the keys.
struct PublisherFile: Decodable {
    /// The keys that an error lists.
    static let keys = [
        "broker", "format", "device", "topic", "interval", "distance", "mqtt-version", "keep-alive",
        "proxy-from-environment", "log-level", "tls.ca", "tls.certificate", "tls.key", "queue.maximum-count",
        "queue.maximum-age", "queue.maximum-size",
        "queue.send-while-disabled", "region[].name", "region[].latitude", "region[].longitude", "region[].radius",
    ]

    var broker: BrokerAddress
    var format: FormatName
    var device: String
    var topic: String?
    /// The minimum time between two locations, in seconds.
    var interval: Double?
    /// The minimum distance between two locations, in metres.
    var distance: Double?
    var mqttVersion: PublisherSettings.MQTTVersion?
    /// The time without messages after which the connection is checked, in seconds.
    var keepAlive: Int?
    var proxyFromEnvironment: Bool?
    var logLevel: Logger.Level?
    var tls: TLS?
    var queue: Queue?
    var region: [Region]?

    struct TLS: Decodable {
        var ca: String?
        var certificate: String?
        var key: String?

        enum CodingKeys: CodingKey {
            case ca, certificate, key
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            ca = try container.decodeIfPresent(.ca, by: FileRule())
            certificate = try container.decodeIfPresent(.certificate, by: FileRule())
            key = try container.decodeIfPresent(.key, by: FileRule())
        }
    }

    struct Queue: Decodable {
        /// The maximum number of reports in the queue.
        var maximumCount: Int?
        /// The maximum age of a report in the queue, in seconds.
        var maximumAge: Int?
        /// The maximum size of the queue, in bytes.
        var maximumSize: Int?
        var sendWhileDisabled: Bool?

        enum CodingKeys: String, CodingKey {
            case maximumCount = "maximum-count"
            case maximumAge = "maximum-age"
            case maximumSize = "maximum-size"
            case sendWhileDisabled = "send-while-disabled"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            maximumCount = try container.decodeIfPresent(
                .maximumCount, by: InRange(1...10_000_000, "a whole number of reports"))
            maximumAge = try container.decodeIfPresent(
                .maximumAge, by: InRange(1...31_536_000, "a whole number of seconds"))
            maximumSize = try container.decodeIfPresent(
                .maximumSize, by: InRange(10_000...10_000_000_000, "a whole number of bytes"))
            sendWhileDisabled = try container.decodeIfPresent(Bool.self, forKey: .sendWhileDisabled)
        }
    }

    struct Region: Decodable {
        var region: CircularRegion

        enum CodingKeys: CodingKey {
            case name, latitude, longitude, radius
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            region = CircularRegion(
                identifier: try container.decode(.name, by: RegionNameRule()),
                latitude: try container.decode(.latitude, by: InRange(-90.0...90, "degrees")),
                longitude: try container.decode(.longitude, by: InRange(-180.0...180, "degrees")),
                radius: try container.decode(.radius, by: InRange(CircularRegion.radii, "a number of metres")))
        }
    }

    enum CodingKeys: String, CodingKey {
        case broker, format, device, topic, interval, distance, tls, queue, region
        case mqttVersion = "mqtt-version"
        case keepAlive = "keep-alive"
        case proxyFromEnvironment = "proxy-from-environment"
        case logLevel = "log-level"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        broker = try container.decode(.broker, by: Parsed(BrokerAddress.init(parsing:)))
        format = try container.decode(
            .format, by: OneOf<FormatName> { "\"\($0)\" is not a format: use one of \($1)" })
        device = try container.decode(.device, by: DeviceRule())
        topic = try container.decodeIfPresent(.topic, by: TopicRule())
        interval = try container.decodeIfPresent(.interval, by: InRange(0.0...86_400, "a number of seconds"))
        distance = try container.decodeIfPresent(.distance, by: InRange(0.0...1_000_000, "a number of metres"))
        mqttVersion = try container.decodeIfPresent(
            .mqttVersion,
            by: OneOf<PublisherSettings.MQTTVersion> { text, _ in
                "\"\(text)\" is not a version of MQTT: use \"5\" or \"3.1.1\""
            })
        keepAlive = try container.decodeIfPresent(
            .keepAlive, by: InRange(5...3600, "a whole number of seconds"))
        proxyFromEnvironment = try container.decodeIfPresent(Bool.self, forKey: .proxyFromEnvironment)
        logLevel = try container.decodeIfPresent(.logLevel, by: .logLevel)
        tls = try container.decodeIfPresent(TLS.self, forKey: .tls)
        queue = try container.decodeIfPresent(Queue.self, forKey: .queue)
        region = try container.decodeIfPresent([Region].self, forKey: .region)
        if let (key, message) = contradiction {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath + [key], debugDescription: message))
        }
    }

    /// The first key whose value conflicts with another key's, and the remedy.
    private var contradiction: (CodingKeys, String)? {
        let scheme = broker.scheme
        let isHTTP = scheme.isHTTP
        guard isHTTP ? format.isForHTTP : format.isForMQTT else {
            let other = isHTTP ? "mqtt:// or mqtts://" : "http:// or https://"
            return (.format, "the format \"\(format)\" needs a broker of \(other)")
        }
        if isHTTP, let topic {
            guard format == .owntracks else { return (.topic, "over HTTP there is no topic: leave it out") }
            guard OwnTracksName(topic: topic) != nil else {
                return (.topic, "over HTTP it has to be owntracks/USER/DEVICE, in printable ASCII")
            }
        }
        let onlyMQTT = "applies only to mqtt:// and mqtts:// brokers: remove it"
        if isHTTP, mqttVersion != nil { return (.mqttVersion, onlyMQTT) }
        if isHTTP, keepAlive != nil { return (.keepAlive, onlyMQTT) }
        if !isHTTP, proxyFromEnvironment == true {
            return (.proxyFromEnvironment, "applies only to http:// and https:// brokers: remove it")
        }
        if tls != nil, !scheme.usesTLS { return (.tls, "only a broker of mqtts:// or https:// uses TLS") }
        if tls?.key != nil, tls?.certificate == nil { return (.tls, "the key needs the certificate that it is for") }
        let regions = region ?? []
        if regions.count > CircularRegion.maximumCount {
            return (.region, "at most \(CircularRegion.maximumCount) regions can be monitored")
        }
        var names: Set<[UInt8]> = []
        for region in regions where !names.insert(Array(region.region.identifier.utf8)).inserted {
            return (.region, "the name \"\(region.region.identifier)\" is there twice: give each region its own")
        }
        return nil
    }

    /// The settings.
    var settings: PublisherSettings {
        var settings = PublisherSettings(broker: broker, format: format, device: device)
        if let topic { settings.topic = topic }
        settings.interval = interval
        settings.distance = distance
        if let mqttVersion { settings.mqttVersion = mqttVersion }
        if let keepAlive { settings.keepAlive = keepAlive }
        settings.usesEnvironmentProxy = proxyFromEnvironment ?? false
        settings.tls.authorities = tls?.ca
        settings.tls.certificate = tls?.certificate
        settings.tls.key = tls?.key
        if let count = queue?.maximumCount { settings.bounds.maximumCount = count }
        if let age = queue?.maximumAge { settings.bounds.maximumAge = age }
        if let size = queue?.maximumSize { settings.bounds.maximumSize = size }
        if let sends = queue?.sendWhileDisabled { settings.sendsWhileDisabled = sends }
        settings.regions = (region ?? []).map(\.region)
        return settings
    }

    /// Reads a file.
    static func read(_ file: String) throws(ConfigurationError) -> PublisherFile {
        try TOMLText(contentsOf: file).decode(PublisherFile.self, allowed: keys)
    }
}
