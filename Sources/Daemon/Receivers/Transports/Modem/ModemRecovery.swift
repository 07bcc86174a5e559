import Bus

/// Switches off receivers in modems that were left on: by a daemon that has crashed, or after a lost connection.
final class ModemRecovery {
    private let modemManager: BusService
    private var left: [SwitchedModem]
    private let remove: (SwitchedModem) -> Void
    private let end: () -> Void

    /// Creates a recovery that has not started.
    ///
    /// - Parameters:
    ///   - remove: Called with each modem whose receiver is off or that has gone. Modems in an unknown state are tried
    ///     again later.
    ///   - end: Called once at the end.
    init(
        of modems: Set<SwitchedModem>, on bus: Bus, remove: @escaping (SwitchedModem) -> Void,
        end: @escaping () -> Void
    ) {
        modemManager = BusService(ModemManager.service, on: bus)
        left = Array(modems)
        self.remove = remove
        self.end = end
        modemManager.onEvent = { [unowned self] in
            if case .disconnected = $0 { finish() } else { proceed() }
        }
    }

    func start() { modemManager.open() }

    /// Stops the recovery. Nothing is called afterwards.
    func stop() { modemManager.close() }

    private func proceed() {
        // A restart of the machine makes a new bus and switches modems off. A restart of ModemManager ends its
        // receivers.
        while let last = left.last, last.bus != modemManager.busID || last.service != modemManager.owner {
            left.removeLast()
            remove(last)
        }
        guard let modem = left.popLast() else { return finish() }
        modemManager.switchOff(modem) { [unowned self] isOff in
            if isOff { remove(modem) }
            proceed()
        }
    }

    private func finish() {
        modemManager.close()
        end()
    }
}
