import Devices
import LocationModel
import NIOCore
import NIOEmbedded
import ReceiverSettings
import Testing

@testable import Receivers

/// A receiver that is plugged in and unplugged, in virtual time.
struct PluggedReceiverTests {
    /// The nodes of plugged-in receivers, and the opened nodes.
    private final class Machine {
        var present: Set<String> = []
        var opened: [String] = []
        var intervals: [Double?] = []
        var sinks: [String: any FixSink] = [:]
    }

    private final class Port: FixSource {
        private let node: String
        private let machine: Machine

        init(_ node: String, _ machine: Machine) {
            (self.node, self.machine) = (node, machine)
        }

        func silence(after _: TimeAmount) -> ReceiverFailure? { ReceiverFailure(.silent, "\(node) is silent") }

        func open(reportingTo sink: any FixSink) {
            machine.opened.append(node)
            guard machine.present.contains(node) else {
                return sink.didFail(ReceiverFailure(.missing, "\(node) is not there"))
            }
            machine.sinks[node] = sink
            sink.didOpen()
        }

        func setDemand(_ demand: ReceiverDemand, reporting contents: ReceiverReportContents) {
            machine.intervals.append(demand.interval)
        }

        func close(toStandby: Bool) { machine.sinks[node] = nil }
    }

    private let loop = EmbeddedEventLoop()
    private let machine = Machine()

    private func makeReceiver(_ specification: ReceiverSpecification) -> (Receiver, () -> [String]) {
        let machine = machine
        let port = specification.port
        let receiver = Receiver(specification, name: "gps", port: port, on: loop) { port -> any FixSource in
            if let port { Port(port.node, machine) } else { AbsentSource(name: "gps") }
        }
        var events: [String] = []
        let handler = EventHandler { event in
            switch event {
            case .found: events.append("found")
            case .lost(let failure): events.append(failure.message)
            case .fix, .arrival, .noFix, .condition, .heading: break
            }
        }
        receiver.delegate = handler
        return (receiver, { withExtendedLifetime(handler) { events } })
    }

    private func fix(_ node: String) {
        machine.sinks[node]?.didProduceFix(
            Fix(location: Location(timestamp: Timestamp(millisecondsSince1970: 0), latitude: 0, longitude: 0)),
            at: loop.now)
    }

    private func port(_ node: String) -> ReceiverPort { ReceiverPort(node: node, device: "device") }

    @Test func itIsOpenedWhereItIsPluggedInAtOnce() {
        let (receiver, events) = makeReceiver(.usb(serial: "1", baudRate: nil))
        receiver.start()
        loop.advanceTime(by: .seconds(100))
        #expect(events() == ["gps is not plugged in"])
        #expect(receiver.port == nil)
        machine.present = ["a"]
        receiver.attach(to: port("a"))
        fix("a")
        #expect(machine.opened == ["a"])
        #expect(events().last == "found")
        #expect(receiver.port?.node == "a")
        receiver.stop()
    }

    @Test func unpluggedItIsLostAndFoundAgainUnderAnotherName() {
        let (receiver, events) = makeReceiver(.usb(serial: "1", baudRate: nil))
        machine.present = ["a", "b"]
        receiver.attach(to: port("a"))
        #expect(machine.opened.isEmpty)
        receiver.setDemand(ReceiverDemand(interval: 15))
        receiver.start()
        fix("a")
        // udev reports it, although the port has not hung up.
        receiver.detach()
        #expect(events() == ["found", "a has gone: unplugged"])
        #expect(machine.sinks.isEmpty)
        loop.advanceTime(by: .seconds(60))
        receiver.attach(to: port("b"))
        #expect(machine.intervals.last == 15)
        fix("b")
        #expect(machine.opened == ["a", "b"])
        #expect(events() == ["found", "a has gone: unplugged", "found"])
        // The receiver is moved without a report that it was unplugged.
        receiver.attach(to: port("a"))
        fix("a")
        #expect(events().suffix(2) == ["b has gone: unplugged", "found"])
        receiver.stop()
        #expect(machine.sinks.isEmpty)
    }

    @Test func silenceIsThatOfThePortWhereItIs() {
        let (receiver, events) = makeReceiver(.usb(serial: "1", baudRate: nil))
        machine.present = ["a", "b"]
        receiver.attach(to: port("a"))
        receiver.start()
        fix("a")
        receiver.attach(to: port("b"))
        fix("b")
        loop.advanceTime(by: .seconds(6))
        #expect(events().last == "b is silent")
        receiver.stop()
    }

    @Test func withoutDemandNothingIsOpened() {
        let (receiver, events) = makeReceiver(.usb(serial: "1", baudRate: nil))
        machine.present = ["a"]
        receiver.attach(to: port("a"))
        receiver.retry()
        receiver.detach()
        receiver.attach(to: port("a"))
        loop.advanceTime(by: .seconds(60))
        #expect(machine.opened.isEmpty)
        #expect(events().isEmpty)
        #expect(receiver.lastFailure?.reason == .disconnected)
    }

    @Test func aPathIsTriedAtOnceWhenSomethingWasPluggedIn() {
        let (receiver, events) = makeReceiver(.serial(path: "a", baudRate: nil))
        receiver.start()
        loop.advanceTime(by: .seconds(60))
        let attempts = machine.opened.count
        machine.present = ["a"]
        receiver.retry()
        #expect(machine.opened.count == attempts + 1)
        fix("a")
        #expect(events() == ["a is not there", "found"])
        // The receiver is running. Some other device was plugged in.
        receiver.retry()
        #expect(machine.opened.count == attempts + 1)
        receiver.stop()
    }
}
