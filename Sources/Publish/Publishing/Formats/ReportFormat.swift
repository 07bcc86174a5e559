/// A format for sending reports: a mapping of reports to messages.
package protocol ReportFormat: Sendable {
    /// Returns the message for a report. Reports are sent in the order of the queue.
    func message(for entry: QueuedReport) -> Message

    /// The maximum number of reports in a message.
    var maximumBatch: Int { get }

    /// Returns the message for one to ``maximumBatch`` reports, in the order of the queue.
    func message(for entries: [QueuedReport]) -> Message

    /// Returns the message for the newest location, sent before the waiting reports; `nil` if the format has none.
    func state(of entry: QueuedReport) -> Message?

    /// The topic for this machine's connection state, or `nil` if there is none. The broker publishes the
    /// ``Availability/offline`` message when the connection is lost.
    var availability: Availability? { get }

    /// Messages to send first on each connection.
    var announcements: [Message] { get }
}

extension ReportFormat {
    /// One report per message.
    package var maximumBatch: Int { 1 }

    package func message(for entries: [QueuedReport]) -> Message { message(for: entries[0]) }
}

/// The messages that state whether this machine is connected to the broker. Both are retained.
package struct Availability: Sendable, Equatable {
    /// The message of a connected machine.
    package var online: Message
    /// The message of a disconnected machine: the last will.
    package var offline: Message

    /// Creates messages for a topic: `online` and `offline`.
    package init(topic: String) {
        online = Message(topic: topic, payload: Array("online".utf8), isRetained: true)
        offline = Message(topic: topic, payload: Array("offline".utf8), isRetained: true)
    }
}

/// The name of a format in the configuration.
package enum FormatName: String, Sendable, CaseIterable {
    /// OwnTracks' JSON.
    case owntracks
    /// Home Assistant's MQTT discovery.
    case homeassistant
    /// The JSON of locationd's own interface.
    case json
    /// Traccar's OsmAnd protocol, over HTTP.
    case osmand
    /// Overland's batches, over HTTP.
    case overland

    /// A Boolean value indicating whether the format can be sent to an MQTT broker.
    package var isForMQTT: Bool { self != .osmand && self != .overland }
    /// A Boolean value indicating whether the format can be sent to an HTTP server.
    package var isForHTTP: Bool { self != .homeassistant }

    /// Returns the topic to use if the configuration names none.
    package func standardTopic(device: String) -> String {
        switch self {
        case .owntracks: "owntracks/locationd/\(device)"
        case .homeassistant, .json: "locationd/\(device)"
        case .osmand, .overland: ""
        }
    }

    /// Returns the format.
    ///
    /// - Parameters:
    ///   - topic: The topic of the reports; the other topics are below it or, for OwnTracks, below `locationd/DEVICE`.
    ///   - device: The name of this machine.
    package func format(topic: String, device: String) -> any ReportFormat {
        switch self {
        case .owntracks: OwnTracksFormat(topic: topic, device: device)
        case .homeassistant: HomeAssistantFormat(topic: topic, device: device)
        case .json: JSONFormat(topic: topic, device: device)
        case .osmand: OsmAndFormat(device: device)
        case .overland: OverlandFormat(device: device)
        }
    }
}

/// A message to send: to a topic of an MQTT broker, or as the body of an HTTP request.
package struct Message: Sendable, Equatable {
    /// The topic, or an empty string for HTTP.
    package var topic: String
    /// The payload.
    package var payload: [UInt8]
    /// A Boolean value indicating whether the broker keeps the message for clients that subscribe later.
    package var isRetained: Bool

    /// Creates a message.
    package init(topic: String, payload: [UInt8], isRetained: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
    }
}
