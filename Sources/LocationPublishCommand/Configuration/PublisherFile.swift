internal import LocationModel
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

    var broker: Checked<BrokerRule>
    var format: Checked<FormatRule>
    var device: Checked<DeviceRule>
    var topic: Checked<TopicRule>?
    var interval: Checked<IntervalRule>?
    var distance: Checked<DistanceRule>?
    var mqttVersion: Checked<MQTTVersionRule>?
    var keepAlive: Checked<KeepAliveRule>?
    var proxyFromEnvironment: Bool?
    var logLevel: Checked<LogLevelRule>?
    var tls: TLS?
    var queue: Queue?
    var region: [Region]?

    struct TLS: Decodable {
        var ca: Checked<FileRule>?
        var certificate: Checked<FileRule>?
        var key: Checked<FileRule>?
    }

    struct Queue: Decodable {
        var maximumCount: Checked<CountRule>?
        var maximumAge: Checked<AgeRule>?
        var maximumSize: Checked<SizeRule>?
        var sendWhileDisabled: Bool?

        enum CodingKeys: String, CodingKey {
            case maximumCount = "maximum-count"
            case maximumAge = "maximum-age"
            case maximumSize = "maximum-size"
            case sendWhileDisabled = "send-while-disabled"
        }
    }

    struct Region: Decodable {
        var name: Checked<RegionNameRule>
        var latitude: Checked<LatitudeRule>
        var longitude: Checked<LongitudeRule>
        var radius: Checked<RadiusRule>

        var region: CircularRegion {
            CircularRegion(
                identifier: name.value, latitude: latitude.value, longitude: longitude.value, radius: radius.value)
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
        broker = try container.decode(Checked<BrokerRule>.self, forKey: .broker)
        format = try container.decode(Checked<FormatRule>.self, forKey: .format)
        device = try container.decode(Checked<DeviceRule>.self, forKey: .device)
        topic = try container.decodeIfPresent(Checked<TopicRule>.self, forKey: .topic)
        interval = try container.decodeIfPresent(Checked<IntervalRule>.self, forKey: .interval)
        distance = try container.decodeIfPresent(Checked<DistanceRule>.self, forKey: .distance)
        mqttVersion = try container.decodeIfPresent(Checked<MQTTVersionRule>.self, forKey: .mqttVersion)
        keepAlive = try container.decodeIfPresent(Checked<KeepAliveRule>.self, forKey: .keepAlive)
        proxyFromEnvironment = try container.decodeIfPresent(Bool.self, forKey: .proxyFromEnvironment)
        logLevel = try container.decodeIfPresent(Checked<LogLevelRule>.self, forKey: .logLevel)
        tls = try container.decodeIfPresent(TLS.self, forKey: .tls)
        queue = try container.decodeIfPresent(Queue.self, forKey: .queue)
        region = try container.decodeIfPresent([Region].self, forKey: .region)
        if let (key, message) = contradiction {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath + [key], debugDescription: message))
        }
    }

    /// The first key whose value conflicts with those of other keys, and the remedy.
    private var contradiction: (CodingKeys, String)? {
        let scheme = broker.value.scheme
        let isHTTP = scheme.isHTTP
        guard isHTTP ? format.value.isForHTTP : format.value.isForMQTT else {
            let other = isHTTP ? "mqtt:// or mqtts://" : "http:// or https://"
            return (.format, "the format \"\(format.value)\" needs a broker of \(other)")
        }
        if isHTTP, let topic {
            guard format.value == .owntracks else { return (.topic, "over HTTP there is no topic: leave it out") }
            guard OwnTracksName(topic: topic.value) != nil else {
                return (.topic, "over HTTP it has to be owntracks/USER/DEVICE, in printable ASCII")
            }
        }
        if isHTTP, mqttVersion != nil { return (.mqttVersion, "only a broker of mqtt:// or mqtts:// has it") }
        if isHTTP, keepAlive != nil { return (.keepAlive, "only a broker of mqtt:// or mqtts:// has it") }
        if !isHTTP, proxyFromEnvironment == true {
            return (.proxyFromEnvironment, "only a broker of http:// or https:// has it")
        }
        if tls != nil, !scheme.usesTLS { return (.tls, "only a broker of mqtts:// or https:// uses TLS") }
        if tls?.key != nil, tls?.certificate == nil { return (.tls, "the key needs the certificate that it is for") }
        let regions = region ?? []
        if regions.count > CircularRegion.maximumCount {
            return (.region, "at most \(CircularRegion.maximumCount) regions can be monitored")
        }
        var names: Set<[UInt8]> = []
        for region in regions where !names.insert(Array(region.name.value.utf8)).inserted {
            return (.region, "the name \"\(region.name.value)\" is there twice: give each region its own")
        }
        return nil
    }

    /// The settings.
    var settings: PublisherSettings {
        var settings = PublisherSettings(broker: broker.value, format: format.value, device: device.value)
        if let topic { settings.topic = topic.value }
        settings.interval = interval?.value
        settings.distance = distance?.value
        if let mqttVersion { settings.mqttVersion = mqttVersion.value }
        if let keepAlive { settings.keepAlive = keepAlive.value }
        settings.usesEnvironmentProxy = proxyFromEnvironment ?? false
        settings.tls.authorities = tls?.ca?.value
        settings.tls.certificate = tls?.certificate?.value
        settings.tls.key = tls?.key?.value
        if let count = queue?.maximumCount { settings.bounds.maximumCount = count.value }
        if let age = queue?.maximumAge { settings.bounds.maximumAge = age.value }
        if let size = queue?.maximumSize { settings.bounds.maximumSize = size.value }
        if let sends = queue?.sendWhileDisabled { settings.sendsWhileDisabled = sends }
        settings.regions = (region ?? []).map(\.region)
        return settings
    }

    /// Reads a file.
    static func read(_ file: String) throws(ConfigurationError) -> PublisherFile {
        try TOMLText(contentsOf: file).decode(PublisherFile.self, allowed: keys)
    }
}
