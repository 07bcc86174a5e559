import Foundation
import LocationProtocol
import TestSupport
import Testing
import Varlink

/// Announcements of NMEA 0183 by the real avahi-daemon and by a hostile neighbour, in a network of namespaces.
@Suite(
    .enabled(if: LocalNetwork.isPossible, "needs avahi-daemon, avahi-utils, and namespaces with a virtual Ethernet"),
    .timeLimit(.minutes(15)))
struct AnnouncedSenderTests {
    @Test func whatAnotherMachineAnnouncesIsListed() async throws {
        let network = try await LocalNetwork()
        let nothing = try await network.discover()
        #expect(nothing.status == 0, "\(nothing.errors)")
        #expect(nothing.output == "No other machine in the local network announces NMEA 0183.\n")
        let phone = try await network.announce("Käthe's Phone", port: 10110)
        let boat = try await network.announce("Boat", "_nmea-0183._udp", port: 2000)
        // Announcements of local users' programs are not in the network.
        let own = try await network.announce("Own", on: .machine, port: 10110)
        let table = try await network.discover()
        #expect(table.status == 0 && table.errors.isEmpty, "\(table.errors)")
        #expect(
            table.output == """
                TRANSPORT  HOST             ADDRESS           PORT   NAME
                udp        neighbour.local  192.0.2.2         2000   Boat
                udp        neighbour.local  fe80::2%network0  2000   Boat
                tcp        neighbour.local  192.0.2.2         10110  \u{2068}Käthe's Phone\u{2069}
                tcp        neighbour.local  fe80::2%network0  10110  \u{2068}Käthe's Phone\u{2069}

                """)
        let lines = try await network.discover("--json").lines
        #expect(
            lines.first == """
                {"name":"Boat","transport":"udp","host":"neighbour.local","address":"192.0.2.2","port":2000,\
                "interface":"network0"}
                """)
        #expect(lines.count == 4)
        withExtendedLifetime((phone, boat, own)) {}
    }

    /// Attack: a neighbour announces names that write to the terminal, hosts and ports that lead elsewhere, and the
    /// machine's own addresses.
    @Test func aHostileNeighbourGetsNothingIntoTheTerminalAndLeadsNowhere() async throws {
        let network = try await LocalNetwork()
        let long = String(repeating: "x", count: 63)
        let attacker = try await network.forge([
            .init(name: "\u{1B}[2J\u{1B}]0;title\u{7}\n127.0.0.1  tcp  phone.local"),
            .init(name: "\u{202E}enohP\u{2066}"), .init(name: long), .init(name: "a.b\\c\"'$(reboot)"),
            .init(name: "loopback", host: "loop.local", address: "127.0.0.1"),
            .init(name: "loopback6", host: "loop6.local", address: "::1"),
            .init(name: "nowhere", host: "nowhere.local", address: "0.0.0.0"),
            .init(name: "ours", host: "ours.local", address: "192.0.2.1"),
            .init(name: "group", host: "group.local", address: "224.0.0.1"),
            .init(name: "everybody", host: "everybody.local", address: "255.255.255.255"),
            .init(name: "port 0", port: 0), .init(name: "numbers", host: "127.0.0.1"),
            .init(name: "host", host: "a b;reboot.local"), .init(name: "escape", host: "\u{1B}[2J.local"),
        ])
        var result = try await network.discover()
        try await eventually("all of what can be used: \(result.output)") {
            result = try await network.discover()
            return result.output.split(separator: "\n").count == 5
        }
        for text in [result.output, result.errors] {
            #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\u{2068}" || $0 == "\u{2069}" || $0.isPlain })
        }
        for word in ["loopback", "ours", "nowhere", "group", "everybody", "port 0", "numbers", "127.0.0.1:", "a b"] {
            #expect(!result.output.contains(word), "\(result.output)")
        }
        #expect(result.output.contains(long) && result.output.contains("a.b\\c\"'$(reboot)"))
        #expect(result.errors.contains("were left out"), "\(result.errors)")
        let json = try await network.discover("--json")
        #expect(json.lines.count == 4 && json.output.utf8.allSatisfy { $0 == 0x0A || $0 >= 0x20 }, "\(json.output)")
        #expect(json.output.contains("\\u202eenohP\\u2066"), "\(json.output)")
        withExtendedLifetime(attacker) {}
    }

    /// Attack: a neighbour announces hundreds of names.
    @Test func aFloodIsCut() async throws {
        let network = try await LocalNetwork()
        let attacker = try await network.forge((0..<400).map { .init(name: "Flood \($0)") })
        var result = try await network.discover("--json", "--timeout", "60")
        try await eventually("a flood: \(result.errors)") {
            result = try await network.discover("--json", "--timeout", "60")
            return result.errors.contains("the list is incomplete: at most 100 services and 200 hosts")
        }
        #expect(result.status == 3 && result.lines.count <= 200, "\(result.lines.count)")
        // A flood of other names does not hide a requested name.
        var named = result
        try await eventually("one of them: \(named.output)\(named.errors)") {
            named = try await network.discover("--json", "--timeout", "60", "--name", "Flood 399")
            return named.status == 0 && named.lines.count == 1
        }
        withExtendedLifetime(attacker) {}
    }

    @Test func withoutAvahiAndWithoutABusItSaysSo() async throws {
        let bus = try await PrivateBus()
        for (address, remedy) in [(bus.address, "install avahi-daemon"), ("unix:path=/nowhere", "no system bus")] {
            let result = try await Program.run(
                Program.path("locationd-nmea"), ["discover"], environment: ["DBUS_SYSTEM_BUS_ADDRESS": address])
            #expect(result.status == 1 && result.output.isEmpty)
            #expect(
                result.errors.contains(remedy) && result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        }
        let usage = try await Program.run(Program.path("locationd-nmea"), ["discover", "--timeout", "0"])
        #expect(usage.status != 0 && usage.errors.contains("--timeout must be"), "\(usage.errors)")
    }
}

extension Unicode.Scalar {
    fileprivate var isPlain: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
