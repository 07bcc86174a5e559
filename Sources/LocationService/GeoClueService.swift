internal import EventLoopSupport
internal import GeoClueFront
internal import LocationCore
internal import Logging
internal import NIOCore

/// The service for apps that use GeoClue, on the system bus. Confined to the event loop.
final class GeoClueService {
    private let front: GeoClueFront

    /// Creates the service. It is not connected yet.
    init(core: Core, poller: DescriptorPoller, on loop: any EventLoop, log: Logger) {
        front = GeoClueFront(core, poller: poller, on: loop, log: log)
    }

    /// Connects to the bus. A bus that is not there, or a name that is taken, is logged and tried again.
    func start() { front.start() }

    /// Disconnects from the bus.
    func stop() { front.stop() }
}
