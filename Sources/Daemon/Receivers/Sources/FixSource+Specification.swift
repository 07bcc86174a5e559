import Devices
import LocationModel
import NIOCore
import ReceiverSettings

/// Returns a source for the specified receiver. `port` is the port that it is plugged into, or `nil` if it is not
/// plugged in or does not use a serial port.
func makeSource(
    _ specification: ReceiverSpecification, port: ReceiverPort?, name: String, profile: ReceiverProfile?,
    owner: UInt32? = nil, memory: (any SerialSettingsMemory)?, databases: NavigationDatabases? = nil,
    modems: SwitchedModems? = nil,
    bluetooth: BluetoothThread? = nil, wallClock: (() -> Int64)? = nil, on eventLoop: any EventLoop, seed: UInt64,
    clock: @escaping () -> Timestamp, firstFixHelp: @escaping () -> FirstFixHelp
) -> any FixSource {
    switch specification {
    case .serial(_, let baudRate), .usb(_, let baudRate):
        guard let port else { return AbsentSource(name: name) }
        let transport = SerialTransport(
            path: port.node, baudRate: baudRate, device: port.device, memory: memory, profile: profile,
            databases: databases, on: eventLoop, firstFixHelp: firstFixHelp)
        return SentenceReceiver(over: transport, receiver: name, wallClock: wallClock, on: eventLoop, clock: clock)
    case .gpsd(let host, let port):
        return GPSDSource(host: host, port: port, receiver: name, on: eventLoop, clock: clock)
    case .socket(let path):
        let transport = SocketTransport(path: path, owner: owner, on: eventLoop)
        return SentenceReceiver(over: transport, receiver: name, isAccessory: true, on: eventLoop, clock: clock)
    case .modem(let modem):
        guard let modems else { return AbsentSource(name: name) }
        let transport = ModemTransport(modem, modems: modems, on: eventLoop)
        return SentenceReceiver(over: transport, receiver: name, on: eventLoop, clock: clock)
    case .bluetooth(let address):
        let transport = BluetoothTransport(address, thread: bluetooth ?? BluetoothThread(), on: eventLoop)
        return SentenceReceiver(over: transport, receiver: name, isAccessory: true, on: eventLoop, clock: clock)
    case .fixed(let place):
        return FixedSource(place, receiver: name, on: eventLoop, clock: clock)
    case .simulated(let route):
        let transport = SimulatedTransport(on: eventLoop, clock: clock) { () throws(ReceiverFailure) in
            let route = try route.map { (file) throws(ReceiverFailure) in Route(places: try GPXFile.places(in: file)) }
            return ReceiverSimulator(route: route ?? .harbour, seed: seed)
        }
        return SentenceReceiver(over: transport, receiver: name, on: eventLoop, clock: clock)
    case .replay(let file, let speed):
        return ReplaySource(file: file, speed: speed, receiver: name, on: eventLoop, clock: clock)
    }
}
