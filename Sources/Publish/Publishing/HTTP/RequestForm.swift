/// The form of the requests that send reports over HTTP: everything but the reports themselves.
package struct RequestForm: Sendable, Equatable {
    /// A field of a request's header.
    package struct Field: Sendable, Equatable {
        /// The name.
        package let name: String
        /// The value.
        package let value: String
    }

    /// The address, including the format's query parameters.
    package let address: String
    /// The header fields that the format needs.
    package let fields: [Field]
    /// The required content of a successful answer.
    package let answer: AnswerRule

    /// Derives the form from the settings.
    package init(_ settings: PublisherSettings) {
        let address = settings.broker.url
        switch settings.format {
        case .osmand:
            self.init(address, type: "application/x-www-form-urlencoded", answer: .noPage)
        case .owntracks:
            guard let name = OwnTracksName(topic: settings.topic) else { fallthrough }
            let fields = [Field(name: "X-Limit-U", value: name.user), Field(name: "X-Limit-D", value: name.device)]
            self.init(name.added(to: address), type: "application/json", fields: fields, answer: .json)
        case .json, .homeassistant: self.init(address, type: "application/json", answer: .noPage)
        case .overland: self.init(address, type: "application/json", answer: .resultOK)
        }
    }

    private init(_ address: String, type: String, fields: [Field] = [], answer: AnswerRule) {
        self.address = address
        self.fields = [Field(name: "Content-Type", value: type)] + fields
        self.answer = answer
    }
}
