import Foundation
import Synchronization
import Testing

@testable import CoreLocation
@testable import CoreLocationDaemon

@Suite struct ManagerDeliveryTests {
    /// Code that sets itself up in several turns of its queue has set itself up before it is called, and the order of
    /// the calls stays.
    @Test func whatIsQueuedTogetherWithADelegateComesFirst() async {
        let queue = DispatchQueue(label: "test")
        let seen = Mutex<[String]>([])
        let manager = CLLocationManager()
        let delegate = Delegate()
        manager.delegate = delegate
        let delivery = ManagerDelivery(.queue(queue))
        delivery.attach(to: manager)
        await withCheckedContinuation { continuation in
            queue.async {
                delivery.awaitTurn()
                delivery.callDelegate { _, _ in seen.withLock { $0.append("first") } }
                delivery.callDelegate { _, _ in seen.withLock { $0.append("second") } }
                queue.async { seen.withLock { $0.append("set up") } }
                queue.async {
                    delivery.callDelegate { _, _ in
                        seen.withLock { $0.append("third") }
                        continuation.resume()
                    }
                }
            }
        }
        #expect(seen.withLock { $0 } == ["set up", "first", "second", "third"])
        withExtendedLifetime(delegate) {}
    }

    private final class Delegate: NSObject, CLLocationManagerDelegate {}
}
