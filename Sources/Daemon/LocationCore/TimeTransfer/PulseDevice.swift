internal import CLinux
internal import Glibc
internal import Logging
internal import TimeTransfer

/// A port for reading the last pulse of a receiver.
protocol PulseSource: AnyObject {
    /// Returns the last pulse, or `nil` if there is none. Does not wait for one.
    func lastPulse() -> Pulse?
}

/// A PPS device of the kernel, read when an epoch arrives, so pulses cause no wake-ups. Confined to the event loop.
///
/// A device that is missing is tried again with each epoch: it comes and goes with the receiver's port.
final class PulseDevice: PulseSource {
    private let path: String
    private let log: Logger
    private var descriptor: CInt = -1
    /// The errno of the last failure, or 0.
    private var lastError: CInt = 0

    /// Creates the source without opening the device.
    init(path: String, log: Logger) {
        self.path = path
        self.log = log
    }

    deinit { closeDevice() }

    func lastPulse() -> Pulse? {
        if descriptor < 0 {
            descriptor = pps_open(path)
            guard descriptor >= 0 else { return fail(-descriptor) }
        }
        var edge = pps_edge()
        let error = pps_last_edge(descriptor, &edge)
        guard error == 0 else { return fail(error) }
        if lastError != 0 { log.notice("reading pulses from \(path)") }
        lastError = 0
        return edge.sequence == 0 ? nil : Pulse(sequence: edge.sequence, wallClock: edge.wall)
    }

    private func closeDevice() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    private func fail(_ error: CInt) -> Pulse? {
        closeDevice()
        if lastError == 0 { log.warning("\(Self.explanation(of: error, path: path))") }
        lastError = error
        return nil
    }

    private static func explanation(of error: CInt, path: String) -> String {
        switch error {
        case ENOENT, ENODEV, ENXIO: "there is no PPS device \(path): is the receiver's pulse attached to the kernel?"
        case EACCES, EPERM: "this daemon's user may not read \(path): it should belong to the group gnss"
        case ENOTTY: "\(path) is not a PPS device"
        case EOPNOTSUPP: "\(path) records no assert edges, on which a pulse is expected"
        default: "cannot read pulses from \(path): \(String(cString: strerror(error)))"
        }
    }
}
