import Testing

@testable import Publishing

/// The publisher's status as a line, and back.
@Suite struct PublisherStatusTests {
    @Test(arguments: [
        PublisherStatus(connection: "Connected to mqtts://broker:8883", waiting: 0),
        PublisherStatus(connection: "No connection to mqtt://a: refused", waiting: 10_000_000),
        // What a broker says as its reason is not the number.
        PublisherStatus(connection: "No connection to mqtt://a: x; 5 reports wait", waiting: 7),
        PublisherStatus(connection: "Not authorized", waiting: 1),
    ])
    func aStatus(status: PublisherStatus) { #expect(PublisherStatus(status.text) == status) }

    @Test func theConnection() {
        #expect(PublisherStatus("Connected to mqtt://a; 3 reports wait")?.isConnected == true)
        #expect(PublisherStatus("No connection to mqtt://a: Connected to; 3 reports wait")?.isConnected == false)
    }

    @Test(arguments: [
        "", "Connected to mqtt://a", "; reports wait", "3 reports wait", "x; 3 reports", "x; -3 reports wait",
        "x; a reports wait", "x; 3 reports wait; y", "x 3 reports wait", "x; 99999999999999999999 reports wait",
    ])
    func somethingElse(text: String) { #expect(PublisherStatus(text) == nil) }
}
