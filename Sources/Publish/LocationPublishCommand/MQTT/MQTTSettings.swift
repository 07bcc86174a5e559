internal import Publishing

/// The settings of a connection to an MQTT broker.
struct MQTTSettings: Sendable {
    var host: String
    var port: UInt16
    var version: PublisherSettings.MQTTVersion
    /// The name of this client. The broker closes an older connection with the same name.
    var clientIdentifier: String
    /// The time without messages after which the connection is checked, in seconds.
    var keepAlive: Int
    var usesTLS: Bool
    var tls: PublisherSettings.TLSFiles
    var credentials: Credentials
    var availability: Availability?

    /// Derives the settings from the publisher's.
    init(_ settings: PublisherSettings, credentials: Credentials, availability: Availability?) {
        host = settings.broker.host
        port = settings.broker.port
        version = settings.mqttVersion
        clientIdentifier = "locationd-\(settings.device)"
        keepAlive = settings.keepAlive
        usesTLS = settings.broker.scheme.usesTLS
        tls = settings.tls
        tls.key = settings.tls.key ?? credentials.keyFile
        self.credentials = credentials
        self.availability = availability
    }
}
