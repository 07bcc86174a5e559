import Bus

/// Switches receivers in modems off that were left on: by a daemon that has crashed, or after a connection was lost.
final class ModemRecovery {
    private let modemManager: BusService
    private var left: [SwitchedModem]
    private let remove: (SwitchedModem) -> Void
    private let end: () -> Void

    /// Creates a recovery that has not started.
    ///
    /// - Parameters:
    ///   - remove: Called with each modem whose receiver is off or that has gone. What is not known of the others is
    ///     tried again later.
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

    /// Ends it. Nothing is called any more.
    func stop() { modemManager.close() }

    private func proceed() {
        // The bus is another one once the machine was started again, which switches modems off; and they end with
        // their ModemManager.
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
