internal import Glibc
internal import LocationService
internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// The service while it runs: until it is told to end, reading the configuration again at each SIGHUP.
struct Daemon: Service {
    typealias Reload =
        @Sendable () throws(ConfigurationError) -> (receivers: [LocationService.Settings.ReceiverEntry], limits: Limits)

    let service: LocationService
    let log: Logger
    /// Reads the configuration again.
    let readConfiguration: Reload

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in await UnixSignalsSequence(trapping: .sighup) { await reload() }
        }
        await service.stop()
    }

    /// A configuration with an error in it is not taken; what held goes on.
    private func reload() async {
        do throws(ConfigurationError) {
            let (receivers, limits) = try readConfiguration()
            await service.apply(receivers: receivers, limits: limits)
            log.notice("the configuration was read again")
        } catch {
            log.error("the configuration is not taken, the former one holds: \(error)")
        }
    }
}

/// Each connection takes a descriptor, and its process another: as many as the administrator allows.
func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
