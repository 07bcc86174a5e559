/// A message as it is sent: to a topic of an MQTT broker, or as the body of an HTTP request.
package struct Message: Sendable, Equatable {
    /// The topic, or an empty text for HTTP.
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
