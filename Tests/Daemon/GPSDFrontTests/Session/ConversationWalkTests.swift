import LocationModel
import TestSupport
import Testing

@testable import GPSDFront
@testable import LocationCore

/// Random sequences of requests, decisions and deliveries.
@Suite struct ConversationWalkTests {
    private static let requests = [
        "?VERSION;", "?DEVICES;", "?DEVICE;", "?POLL;", "?WATCH;", "?FOO;", "?WATCH={bad",
        #"?WATCH={"enable":true,"json":true}"#, #"?WATCH={"enable":true,"nmea":true}"#,
        #"?WATCH={"raw":2,"json":false}"#,
        #"?WATCH={"nmea":false,"raw":0}"#, #"?WATCH={"enable":false}"#, #"?WATCH={"device":"/dev/ttyUSB0"}"#,
        #"?DEVICE={"bps":9600}"#,
    ]

    /// Attack: some sequence of requests and decisions gives a client a position, satellites or sentences that it may
    /// not have at that moment, even if the core were to deliver them.
    @Test(arguments: 1...50 as ClosedRange<UInt64>) func nothingWithoutAGrant(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var client = Client()
        for _ in 0..<400 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<5: client.send(Self.requests.randomElement(using: &random)!)
            case 5: client.access(Access.all.randomElement(using: &random)!)
            case 6: client.suspend()
            case 7: client.unsuspend()
            case 8: client.loseReceiver()
            case 9 where client.isOpen: client.endSubscription()
            default: deliver(to: &client)
            }
            check(client.takeLines(), client, seed)
        }
    }

    /// Delivers what the core would release. Without a grant it releases nothing, but a front must not count on that.
    private func deliver(to client: inout Client) {
        client.receive(client.session.access == .granted(.reduced) ? Samples.cellMessages() : Samples.epoch())
    }

    private func check(_ lines: [String], _ client: Client, _ seed: UInt64) {
        let access = client.session.access
        for line in lines {
            let isFine =
                line.contains("8.750000000") && !line.contains("-8.75") || line.contains("PRN") || line.contains("GSV")
            let isPlace = isFine || line.contains("lat") || line.hasPrefix("$")
            if isFine { #expect(access == .granted(.full), "\(line), seed \(seed)") }
            guard isPlace else { continue }
            if case .granted = access { continue }
            Issue.record("\(line) for \(access), seed \(seed)")
        }
        if client.isOpen, case .granted = access {} else { #expect(!client.isOpen, "seed \(seed)") }
    }
}
