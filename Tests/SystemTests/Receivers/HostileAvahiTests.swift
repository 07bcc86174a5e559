import Foundation
import Synchronization
import TestSupport
import Testing

/// `locationd-nmea discover` with an Avahi that passes on anything, without a limit, or nothing at all.
@Suite(.timeLimit(.minutes(15))) struct HostileAvahiTests {
    /// A program with Avahi's name, which reports services as soon as it is asked for them.
    private final class FakeAvahi: Sendable {
        private struct State {
            var browsed: [String] = []
            var signals: [(path: String, interface: String, member: String, arguments: [BusValue])] = []
            var isOver = false
        }

        private final class StateBox: Sendable {
            let value = Mutex(State())
        }

        static let interface = "org.freedesktop.Avahi."

        private let state = StateBox()

        /// The names whose records were asked for.
        var browsed: [String] { state.value.withLock { $0.browsed } }

        /// - Parameter names: The names of the services that are reported, or `nil` to answer nothing.
        init(on bus: PrivateBus, reporting names: [String]?) throws {
            let state = state
            nonisolated(unsafe) let connection = try bus.connect()
            try connection.own("org.freedesktop.Avahi")
            Thread.detachNewThread {
                connection.respond = { call in names.flatMap { Self.reply(to: call, reporting: $0, state) } }
                while !state.value.withLock({ $0.isOver }), (try? connection.receive()) != nil {
                    let signals = state.value.withLock { state in
                        defer { state.signals = [] }
                        return state.signals
                    }
                    for signal in signals {
                        connection.emit(signal.path, signal.interface, signal.member, signal.arguments)
                    }
                    connection.wait()
                }
            }
        }

        deinit { state.value.withLock { $0.isOver = true } }

        private static func reply(
            to call: BusMessage, reporting names: [String], _ state: StateBox
        ) -> [BusValue]? {
            state.value.withLock { state in
                let path = "/browser\(state.browsed.count)\(call.member == "RecordBrowserNew" ? "record" : "")"
                switch call.member {
                case "ServiceBrowserNew":
                    let own = path + (call.arguments.contains(.text("_nmea-0183._udp")) ? "udp" : "tcp")
                    let browser = interface + "ServiceBrowser"
                    // Neither of these is an item.
                    state.signals.append((own, browser, "ItemNew", [.text("Nonsense")]))
                    state.signals.append((own, browser, "ItemNew", []))
                    state.signals += names.map { (own, browser, "ItemNew", item($0)) }
                    state.signals.append((own, browser, "AllForNow", []))
                    return [.path(own)]
                case "RecordBrowserNew":
                    state.browsed.append(call.arguments.dropFirst(2).first?.text ?? "")
                    let browser = interface + "RecordBrowser"
                    state.signals.append((path, browser, "ItemNew", [.signedNumber(2), .text("Nonsense")]))
                    state.signals.append((path, browser, "AllForNow", []))
                    return [.path(path)]
                default: return []
                }
            }
        }

        private static func item(_ name: String) -> [BusValue] {
            [
                .signedNumber(2), .signedNumber(0), .text(name), .text("_nmea-0183._tcp"), .text("local"), .number(4),
            ]
        }
    }

    private final class End: Sendable {
        let isReached = Mutex(false)
    }

    private func discover(_ bus: PrivateBus, _ options: String...) async throws -> Program.Result {
        try await Program.run(
            Program.path("locationd-nmea"), ["discover"] + options,
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
    }

    /// Attack: names of any length, the same ones over and over, and thousands of them.
    @Test func whatIsAskedForIsBounded() async throws {
        let bus = try await PrivateBus()
        let long = [String(repeating: "x", count: 4096), String(repeating: "\u{202E}", count: 500), ""]
        let names = long + (0..<3000).map { "Name \($0 % 2500)" }
        let avahi = try FakeAvahi(on: bus, reporting: names)
        let result = try await discover(bus, "--json", "--timeout", "60")
        #expect(result.status == 3 && result.output.isEmpty, "\(result.output)\(result.errors)")
        #expect(result.errors.contains("the list is incomplete: at most 100 services"), "\(result.errors)")
        let browsed = avahi.browsed
        #expect(Set(browsed).count == browsed.count && browsed.count == 100, "\(browsed.count)")
        #expect(browsed.allSatisfy { $0.hasPrefix("Name\\032") && $0.utf8.count < 100 })
    }

    /// Attack: another program on the bus sends signals that look like Avahi's.
    @Test func onlyAvahiIsBelieved() async throws {
        let bus = try await PrivateBus()
        let avahi = try FakeAvahi(on: bus, reporting: [])
        let end = End()
        Thread.detachNewThread { [address = bus.address] in
            guard let connection = try? BusConnection(address) else { return }
            while !end.isReached.withLock({ $0 }) {
                for transport in ["udp", "tcp"] {
                    let arguments: [BusValue] = [
                        .signedNumber(2), .signedNumber(0), .text("Stranger"), .text("_nmea-0183._\(transport)"),
                        .text("local"), .number(4),
                    ]
                    connection.emit(
                        "/browser0\(transport)", FakeAvahi.interface + "ServiceBrowser", "ItemNew", arguments)
                }
            }
        }
        for _ in 0..<5 {
            let result = try await discover(bus, "--timeout", "60")
            #expect(result.status == 0, "\(result.errors)")
        }
        end.isReached.withLock { $0 = true }
        #expect(avahi.browsed.isEmpty)
    }

    @Test func anAvahiThatIsSilentIsNotWaitedForForLong() async throws {
        let bus = try await PrivateBus()
        let avahi = try FakeAvahi(on: bus, reporting: nil)
        let result = try await discover(bus, "--timeout", "0.5")
        #expect(result.status == 3 && result.errors.contains("not everything was answered within 0.5 s"))
        withExtendedLifetime(avahi) {}
    }
}
