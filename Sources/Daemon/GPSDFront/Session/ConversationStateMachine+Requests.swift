internal import Bytewise
internal import JSON
internal import LocationModel
internal import NIOCore

extension ConversationStateMachine {
    /// Answers a request.
    ///
    /// - Parameter now: The time for the reply to POLL.
    mutating func answer(_ request: ClientRequest, _ devices: DeviceList, at now: Timestamp) -> [Action] {
        switch request {
        case .version: [reply { $0.version() }]
        case .devices: [reply { $0.devices(shown(devices)) }]
        case .device(let path): describe(path, devices)
        case .configureDevice(let path): refuseSettings(path, devices)
        case .watch(nil): [reply { $0.devices(shown(devices)) }, reply { $0.watch(policy) }]
        case .watch(let change?): watch(change, devices)
        case .poll: poll(devices, at: now)
        case .invalid(let name, let reason): refuse(name, reason, devices)
        case .unrecognized(let text): [reply { $0.error("Unrecognized request '\(text)'") }]
        }
    }

    private func reply(_ body: (inout JSONWriter) -> Void) -> Action { .reply(ByteBuffer(line: body)) }

    /// Returns the devices as the client may see them.
    private func shown(_ devices: DeviceList) -> [ListedDevice] {
        seesActivity ? devices.devices : devices.devices.map(\.withoutActivity)
    }

    // MARK: WATCH

    /// Applies a WATCH request. airodump-ng expects DEVICES as the first reply.
    private mutating func watch(_ change: WatchChange, _ devices: DeviceList) -> [Action] {
        if change.enable != false, let path = change.device, !devices.contains(path: path) {
            return [reply { $0.error("No such device as \(path)") }]
        }
        self.change(change)
        let actions = follow(devices) + repeatCell()
        // The replies come first: a subscription may deliver while it is opened.
        return [reply { $0.devices(shown(devices)) }, reply { $0.watch(policy) }] + actions
    }

    private func refuse(_ name: String, _ reason: String, _ devices: DeviceList) -> [Action] {
        let error = reply { $0.error("Invalid \(name): \(reason)") }
        guard name == "WATCH" else { return [error] }
        return [error, reply { $0.devices(shown(devices)) }, reply { $0.watch(policy) }]
    }

    // MARK: DEVICE

    private func describe(_ path: String?, _ devices: DeviceList) -> [Action] {
        if let path, !devices.contains(path: path) { return [reply { $0.error("No such device as \(path)") }] }
        let chosen = shown(devices).filter { device in path.map { device.path.isBytewiseEqual(to: $0) } ?? true }
        return chosen.map { device in reply { $0.device(device) } }
    }

    /// Refuses to change a receiver's settings. Nothing is ever written to a receiver for a client.
    private func refuseSettings(_ path: String?, _ devices: DeviceList) -> [Action] {
        if let path, !devices.contains(path: path) { return [reply { $0.error("No such device as \(path)") }] }
        let device = path ?? devices.devices.first?.path ?? "a receiver"
        return [reply { $0.error("cannot configure \(device): only the administrator can, in locationd.toml") }]
    }

    // MARK: POLL

    /// Answers POLL. gpsd-py3 reads the last TPV and the last SKY if `active` is not 0.
    private mutating func poll(_ devices: DeviceList, at now: Timestamp) -> [Action] {
        guard policy.isEnabled else { return [reply { $0.poll(at: now, active: 0, nil) }] + explain() }
        let reports = last?.reports ?? devices.noFixReports
        return [reply { $0.poll(at: now, active: 1, reports) }] + explain()
    }
}
