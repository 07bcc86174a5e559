internal import Logging
internal import NIOCore
internal import Receivers

/// Remembers serial settings over restarts. Without a working database, only while the daemon runs.
final class StoredSerialSettings: SerialSettingsMemory {
    private var settingsByDevice: [String: SerialSettings]
    private let store: Store
    private let loop: any EventLoop
    private let log: Logger

    init(_ store: Store, on loop: any EventLoop, log: Logger) {
        settingsByDevice = store.loadSerialSettings()
        self.store = store
        self.loop = loop
        self.log = log
    }

    func settings(ofDevice device: String) -> SerialSettings? { settingsByDevice[device] }

    func remember(_ settings: SerialSettings, ofDevice device: String) {
        settingsByDevice[device] = settings
        let log = log
        store.write(settings, ofDevice: device, on: loop).whenFailure { error in
            log.warning("the speed of \(device) could not be saved and will be detected again: \(error)")
        }
    }
}
