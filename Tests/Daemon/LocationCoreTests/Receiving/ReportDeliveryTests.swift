import AuthorizationPolicy
import CLinux
import Linux
import LocationModel
import Logging
import NIOCore
import NIOEmbedded
import PeerIdentity
import Positioning
import Receivers
import TestSupport
import Testing

@testable import LocationCore

/// What is counted of the reports that a subscriber gets besides locations.
@Suite struct ReportDeliveryTests {
    private static let maps = AppKey(uid: 1000, app: AppIdentity("app:org.gnome.Maps")!)

    private final class FarClient: Client {
        let front = LocationCore.Front(name: "reports")
        let evidence = PeerEvidence.process
        let pid: Int32 = 1
        let uid: UInt32 = 1000
        func openProcess() throws(IdentityRefusal) -> ProcessDescriptor { throw .processGone }
        func close() {}
    }

    private final class Reader: MemorySubscriber, ReportSubscriber {
        var wants = false
        private(set) var received = 0

        var wantsHeadings: Bool { wants }
        func wantsReport(withoutFixOf receiver: String) -> Bool { wants }
        func receive(_ publication: borrowing Counted<Publication>, isLast: Bool) {}
        func receive(withoutFix report: borrowing Counted<ReceiverUpdate>) { received += 1 }
        func receive(_ heading: borrowing Counted<Heading>) { received += 1 }
        func receive(_ event: consuming SubscriptionEvent) {}
        func complete() {}
    }

    /// What is not sent to the client is not counted as a delivery, and no report counts as a location.
    @Test(arguments: [false, true]) func onlyWhatIsSentIsCounted(wants: Bool) throws {
        let loop = EmbeddedEventLoop()
        let folder = try TemporaryFolder()
        let store = Store(path: folder.path + "/locationd.db", timestamp: "then")
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let clock = { Timestamp(millisecondsSince1970: 1_800_000_000_000) }
        let table = AuthorizationTable(decisions: [Self.maps: Decision(level: .always, accuracy: .full)])
        let gate = Gate(
            broker: AuthorizationBroker(
                AuthorizationStateMachine(table: table, at: 1_800_000_000, nextMidnight: { $0 + 86_400 }), store: store,
                on: loop, clock: clock, log: log))
        let history = AccessHistory(
            log: AccessLog(
                store: store, on: loop, retention: RetentionTime(reached: nil, on: loop, clock: clock), log: log),
            indicator: Indicator(), clock: clock)
        let reader = Reader(FarClient())
        reader.wants = wants
        var options = SubscriptionOptions()
        options.reportContents = .satellites
        let entitlement = gate.entitlement(of: Self.maps)
        let subscription = Subscription(
            reader, options: options, authorization: entitlement.authorization, presence: .inUse, manifest: nil,
            since: clock())
        var heading = Heading(timestamp: clock())
        heading.magneticHeading = 90
        let counted = history.deliveries(to: UncollectedDeliveries(Self.maps)) { deliveries in
            subscription.deliver(
                withoutFix: ReceiverUpdate(receiver: "a", fix: nil, receivedAt: .distantPast), under: entitlement,
                through: gate,
                counting: &deliveries)
            subscription.deliver(heading, under: entitlement, through: gate, counting: &deliveries)
            return deliveries.total
        }
        #expect(counted == (wants ? 2 : 0) && reader.received == counted)
        #expect(subscription.delivered == 0)
    }
}
