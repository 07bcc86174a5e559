internal import LocationModel
internal import LocationProtocol
internal import LocationctlSupport
internal import MachineDoctor
internal import NIOConcurrencyHelpers

/// The test of corrections: an app that needs them, and the status of the instance meanwhile.
struct CorrectionsTest {
    let daemon: DaemonConnection
    let unit: String
    /// The time with corrections.
    let duration: Duration
    /// The maximum time until they arrive: the receiver has to say who it is, and a caster may wait for the position.
    private static let arrivalTimeout = Duration.seconds(60)

    /// Waits until corrections have arrived for some time. Throws an error if none arrive.
    ///
    /// - Returns: The last status, and the last location.
    func run(_ steps: UndoableSteps) async throws -> (status: String, location: Location?) {
        let last = NIOLockedValueBox<Location?>(nil)
        let app = Task { [daemon] in
            var options = Options()
            options.desiredAccuracy = .bestForNavigation
            options.pausesAutomatically = false
            try await daemon.stream(Subscribe.self, Subscribe.Parameters(options: options)) { reply in
                if let location = reply.update?.location { last.withLockedValue { $0 = location } }
                return true
            }
        }
        defer { app.cancel() }
        let clock = ContinuousClock()
        let start = clock.now
        var firstArrival: ContinuousClock.Instant?
        var status = ""
        while true {
            try await Task.sleep(for: .milliseconds(200))
            try steps.checkInterruption()
            status = try self.status()
            if status.hasPrefix("Stopped: ") { throw Failure(.failed, Self.lowercased(status)) }
            if status.hasPrefix("Receiving corrections"), firstArrival == nil { firstArrival = clock.now }
            // The traffic is in the status after some seconds.
            if let firstArrival, clock.now - firstArrival >= duration, status.contains(" bytes/s") { break }
            guard clock.now - start < Self.arrivalTimeout + duration else { throw failure(status) }
        }
        return (status, last.withLockedValue { $0 })
    }

    private func failure(_ status: String) -> Failure {
        guard status == "No app needs corrections" else {
            return Failure(.failed, "no corrections have arrived: \(Self.lowercased(status))")
        }
        return Failure(
            .failed,
            """
            no receiver is open that takes corrections: it needs profile = "auto" in locationd.toml, or \
            corrections = true; locationd-ntrip(8) names such receivers
            """)
    }

    private func status() throws(Failure) -> String {
        guard let unit = UnitFacts.read([unit])?[unit] else {
            throw Failure(.failed, "`systemctl show \(unit)` failed")
        }
        guard unit.active != "failed" else {
            throw Failure(.failed, "\(unit.name) has failed: `sudo journalctl -u \(unit.name) -n 50` says more")
        }
        return unit.statusText
    }

    private static func lowercased(_ status: String) -> String { status.prefix(1).lowercased() + status.dropFirst() }
}
