import NIOCore
import Positioning

/// The source that a specification describes.
func makeSource(
    _ specification: ReceiverSpecification, name: String, power: ReceiverPower?, device: String?,
    memory: (any LineMemory)?, on eventLoop: any EventLoop, seed: UInt64, clock: @escaping () -> Timestamp
) -> any FixSource {
    switch specification {
    case .serial(let path, let baudRate):
        SerialSource(
            path: path, baudRate: baudRate, device: device, memory: memory, receiver: name, power: power,
            on: eventLoop, clock: clock)
    case .gpsd(let host, let port):
        GPSDSource(host: host, port: port, receiver: name, on: eventLoop, clock: clock)
    case .simulated(let route):
        SimulatedSource(receiver: name, on: eventLoop, clock: clock) { () throws(ReceiverFailure) in
            let route = try route.map { (file) throws(ReceiverFailure) in Route(places: try GPXFile.places(in: file)) }
            return ReceiverSimulator(route: route ?? .harbour, seed: seed)
        }
    case .replay(let file, let speed):
        ReplaySource(file: file, speed: speed, receiver: name, on: eventLoop, clock: clock)
    }
}
