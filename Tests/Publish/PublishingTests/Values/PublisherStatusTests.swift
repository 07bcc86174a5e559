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
        PublisherStatus(connection: "Ready to send to https://a/pub", waiting: 3, refused: 12),
        PublisherStatus(
            connection: "No connection to https://a: x; 4 that the server has refused are set aside", waiting: 3),
    ])
    func aStatus(status: PublisherStatus) { #expect(PublisherStatus(status.text) == status) }

    @Test func theConnection() {
        #expect(PublisherStatus("Ready to send to https://a; 3 reports wait")?.isConnected == true)
        #expect(PublisherStatus("Connected to mqtt://a; 3 reports wait")?.isConnected == true)
        #expect(PublisherStatus("No connection to mqtt://a: Connected to; 3 reports wait")?.isConnected == false)
    }

    @Test(arguments: [
        "", "Connected to mqtt://a", "; reports wait", "3 reports wait", "x; 3 reports", "x; -3 reports wait",
        "x; a reports wait", "x; 3 reports wait; y", "x 3 reports wait", "x; 99999999999999999999 reports wait",
        "x; 3 that the server has refused are set aside",
    ])
    func somethingElse(text: String) { #expect(PublisherStatus(text) == nil) }
}
