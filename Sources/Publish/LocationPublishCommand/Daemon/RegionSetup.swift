internal import LocationClient
internal import LocationModel
internal import Logging
internal import NIOCore

/// Makes locationd monitor the configured regions for the publisher. Confined to the event loop.
final class RegionSetup {
    private let wanted: [CircularRegion]
    private let client: LocationClient
    private let loop: any EventLoop
    private let log: Logger

    init(_ wanted: [CircularRegion], client: LocationClient, loop: any EventLoop, log: Logger) {
        self.wanted = wanted
        self.client = client
        self.loop = loop
        self.log = log
    }

    /// Stops the regions of an earlier configuration, and starts new and changed ones. A region already being monitored
    /// keeps its state.
    func run() {
        let setup = NIOLoopBound(self, eventLoop: loop)
        client.monitoredRegionsRequest().send { result in
            switch result {
            case .success(let regions): setup.value.replace(regions)
            case .failure(let error): setup.value.report(error)
            }
        }
    }

    private func replace(_ monitored: [CircularRegion]) {
        for region in monitored where !wanted.contains(where: { $0.hasName(of: region) }) {
            send(client.stopMonitoringRequest(identifier: region.identifier))
        }
        for region in wanted where !monitored.contains(where: { $0.isSame(as: region) }) {
            send(client.startMonitoringRequest(region))
        }
    }

    private func send(_ request: UnsentCall<Void>) {
        let setup = NIOLoopBound(self, eventLoop: loop)
        request.send { result in
            if case .failure(let error) = result { setup.value.report(error) }
        }
    }

    private func report(_ error: LocationError) {
        log.error("the regions are not all monitored: \(error)")
    }
}

extension CircularRegion {
    fileprivate func hasName(of other: CircularRegion) -> Bool {
        identifier.utf8.elementsEqual(other.identifier.utf8)
    }

    fileprivate func isSame(as other: CircularRegion) -> Bool {
        hasName(of: other) && latitude == other.latitude && longitude == other.longitude && radius == other.radius
    }
}
