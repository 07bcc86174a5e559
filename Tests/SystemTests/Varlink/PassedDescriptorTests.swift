import Foundation
import LocationProtocol
import TestSupport
import Testing

/// Attack: a process without a grant sends a descriptor whose close waits for an hour. A thread that receives it, or
/// closes the connection that it is in, waits.
///
/// A daemon that waits answers no client within the time limit.
@Suite(.timeLimit(.minutes(15))) struct PassedDescriptorTests {
    /// The connections were made before the daemon could refuse descriptors, to each of its sockets.
    @Test func thoseThatWaitForTheDaemonDoNotStopIt() async throws {
        let lines = try await ServiceManagerScript.run(Program.script("PassedDescriptor/waiting"))
        #expect(lines == ["READY=1", "authorization", "VERSION", "authorization", "VERSION", "STOPPING=1", "0"])
    }

    /// The bus delivers no call that has a descriptor.
    @Test(.enabled(if: PrivateBus.isInstalled, "needs dbus-daemon"))
    func theBusDeliversNone() async throws {
        let front = try await GeoClueFrontDaemon()
        let bus = try front.bus.connect()
        let pair = try TCPPair()
        for _ in 0..<3 {
            let failure = await #expect(throws: BusError.self) {
                try await bus.call(
                    to: GeoClue.name, "/org/freedesktop/GeoClue2/Manager", "org.freedesktop.DBus.Peer", "Ping",
                    [.descriptor(pair.app)])
            }
            #expect(failure?.shortName == "NotSupported")
        }
        try await front.pass()
    }
}
