import Publishing
import Testing

/// The form of requests.
@Suite struct RequestFormTests {
    private func form(
        _ format: FormatName, _ address: String = "https://s/x", _ change: (inout PublisherSettings) -> Void = { _ in }
    ) throws -> RequestForm {
        var settings = PublisherSettings(broker: try BrokerAddress(parsing: address), format: format, device: "van")
        change(&settings)
        return RequestForm(settings)
    }

    private func fields(_ form: RequestForm) -> [String] { form.fields.map { "\($0.name): \($0.value)" } }

    @Test(
        arguments: [
            (.osmand, "application/x-www-form-urlencoded", .noPage), (.json, "application/json", .noPage),
            (.overland, "application/json", .resultOK),
        ] as [(FormatName, String, AnswerRule)])
    func theTypeAndTheAnswer(_ format: FormatName, _ type: String, _ answer: AnswerRule) throws {
        let form = try form(format)
        #expect(fields(form) == ["Content-Type: \(type)"])
        #expect(form.address == "https://s:443/x" && form.answer == answer)
    }

    @Test func userAndDeviceOfOwnTracks() throws {
        let standard = try form(.owntracks)
        #expect(fields(standard) == ["Content-Type: application/json", "X-Limit-U: locationd", "X-Limit-D: van"])
        #expect(standard.address == "https://s:443/x?u=locationd&d=van" && standard.answer == .json)
        let named = try form(.owntracks) { $0.topic = "owntracks/jane&co/van 1" }
        // Not a name over HTTP, which the configuration refuses.
        #expect(fields(named) == ["Content-Type: application/json"])
        let other = try form(.owntracks) { $0.topic = "owntracks/jane&co/car" }
        #expect(fields(other).dropFirst() == ["X-Limit-U: jane&co", "X-Limit-D: car"])
        #expect(other.address == "https://s:443/x?u=jane%26co&d=car")
    }

    /// What the address says already stays.
    @Test(arguments: [
        ("https://s/pub?u=a&d=b", "https://s:443/pub?u=a&d=b"),
        ("https://s/pub?d=b", "https://s:443/pub?d=b&u=locationd"),
        ("https://s/p?api_key=k", "https://s:443/p?api_key=k&u=locationd&d=van"),
        ("https://s/p?", "https://s:443/p?u=locationd&d=van"), ("https://s", "https://s:443/?u=locationd&d=van"),
    ]) func theQueryOfOwnTracks(address: String, url: String) throws {
        #expect(try form(.owntracks, address).address == url)
    }

    @Test(arguments: [
        "owntracks/a", "owntracks/a/b/c", "other/a/b", "owntracks//b", "owntracks/a/b c", "owntracks/ä/b",
    ])
    func topicsThatAreNoName(_ topic: String) {
        #expect(OwnTracksName(topic: topic) == nil)
    }

    /// Over HTTP there is no topic for the newest location, and nothing that says who is connected.
    @Test(arguments: FormatName.allCases.filter(\.isForHTTP)) func reportsAlone(_ format: FormatName) throws {
        let settings = PublisherSettings(broker: try BrokerAddress(parsing: "https://s"), format: format, device: "van")
        let made = settings.reportFormat
        #expect(made.availability == nil && made.announcements == [] && made.state(of: Samples.entry(1)) == nil)
        #expect(made.maximumBatch == (format == .overland ? 100 : 1))
        let itself = format.format(topic: settings.topic, device: "van")
        #expect(made.message(for: [Samples.entry(1)]) == itself.message(for: [Samples.entry(1)]))
        #expect(made.message(for: Samples.entry(1)) == itself.message(for: Samples.entry(1)))
    }
}
