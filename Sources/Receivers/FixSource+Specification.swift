import NIOCore
import Positioning

/// The source that a specification describes.
func makeSource(
    _ specification: ReceiverSpecification, name: String, power: ReceiverPower?, on eventLoop: any EventLoop,
    seed: UInt64, clock: @escaping () -> Timestamp
) -> any FixSource {
    switch specification {
    case .serial(let path, let baudRate):
        SerialSource(
            path: path, baudRate: baudRate ?? ReceiverSpecification.defaultBaudRate, receiver: name, power: power,
            on: eventLoop, clock: clock)
    case .gpsd(let host, let port):
        GPSDSource(host: host, port: port, receiver: name, on: eventLoop, clock: clock)
    case .simulated(let route):
        SimulatedSource(route: route, receiver: name, on: eventLoop, seed: seed, clock: clock)
    case .replay(let file, let speed):
        ReplaySource(file: file, speed: speed, receiver: name, on: eventLoop, clock: clock)
    }
}
