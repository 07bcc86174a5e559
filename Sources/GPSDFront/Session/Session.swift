internal import LocationCore
internal import LocationModel
internal import NIOCore

/// The conversation with one client: its policy, what it may have, and what it is sent because of both.
///
/// A state machine without I/O: each event returns what is to be done. The connection stays open whatever is decided:
/// most clients connect again and again if they lose it. Until there is a grant the client is sent a report that
/// there is no fix, once, and if it was refused an ERROR that says what to run, once. Nothing else that a receiver has
/// reported reaches it.
struct Session {
    /// Something to be done for the client.
    enum Action: Equatable {
        /// Send a reply, which waits until the client reads it.
        case reply(ByteBuffer)
        /// Send a report, which a newer one replaces while the client does not read it.
        case report(ByteBuffer)
        /// Drop the report that waits for the client to read.
        case dropReport
        /// Open a subscription, with these contents.
        case open(ReceiverReport.Contents)
        /// Close the subscription.
        case close
        /// Have the user prompted.
        case prompt
    }

    private let app: AppIdentity
    private(set) var policy = WatchPolicy()
    private(set) var access: Access
    /// The contents of the open subscription, or `nil` if none is open.
    private(set) var open: ReceiverReport.Contents?
    /// The messages that POLL repeats, or `nil` if there is no fix.
    private(set) var last: EpochMessages?
    /// A Boolean value indicating whether the last report said that there is no fix.
    private var isWithoutFix = false
    private var isRefusalSent = false
    private var isPrompting = false

    init(app: AppIdentity, access: Access) {
        self.app = app
        self.access = access
    }

    // MARK: The authorization

    /// Handles the app's authorization, whether it has changed or not.
    mutating func authorizationChanged(to access: Access, _ devices: DeviceList) -> [Action] {
        guard access != self.access else { return [] }
        self.access = access
        isPrompting = false
        // Attack: accuracy is reduced, and the client then reads a location with full accuracy that was waiting for it,
        // or polls the last one. Another subscription begins with the location of the new accuracy.
        return close() + follow(devices)
    }

    /// Handles the end of the subscription by the core.
    mutating func subscriptionEnded(_ devices: DeviceList) -> [Action] {
        open = nil
        return forget() + reportNoFix(devices)
    }

    /// Handles that nothing is due to the client for now, because it is not in use.
    mutating func suspended(_ devices: DeviceList) -> [Action] {
        forget() + reportNoFix(devices)
    }

    /// Handles that the client is in use again. Another subscription begins with the cell, which a client with reduced
    /// accuracy would get in a quarter of an hour otherwise.
    mutating func unsuspended(_ devices: DeviceList) -> [Action] {
        access == .granted(.reduced) ? close() + follow(devices) : []
    }

    /// Handles that no receiver is available. The cell of reduced accuracy stays what it is.
    mutating func receiverLost(_ devices: DeviceList) -> [Action] {
        access == .granted(.reduced) ? [] : forget() + reportNoFix(devices)
    }

    /// Forgets what the client was or was about to be sent.
    private mutating func forget() -> [Action] {
        guard last != nil else { return [] }
        last = nil
        return [.dropReport]
    }

    // MARK: The policy

    /// Changes the policy.
    mutating func change(_ change: WatchChange) { policy.apply(change) }

    /// Makes the subscription follow the policy and the authorization.
    mutating func follow(_ devices: DeviceList) -> [Action] {
        guard case .granted = access, policy.isEnabled else {
            return close() + (policy.isEnabled ? reportNoFix(devices) + explain() : [])
        }
        isRefusalSent = false
        guard open != policy.reportContents else { return [] }
        let actions = close()
        open = policy.reportContents
        return actions + [.open(policy.reportContents)]
    }

    private mutating func close() -> [Action] {
        guard open != nil else { return [] }
        open = nil
        return forget() + [.close]
    }

    /// Has the user prompted, or says what the user can do.
    mutating func explain() -> [Action] {
        switch access {
        case .granted: return []
        case .undecided:
            guard !isPrompting else { return [] }
            isPrompting = true
            return [.prompt]
        case .refused(let refusal):
            // A program that only polls reads one line for each request, and takes another one for the reply.
            guard !isRefusalSent, policy.json || policy.wantsSentences else { return [] }
            isRefusalSent = true
            return [.reply(ByteBuffer(line: { $0.error(refusal.message(for: app)) }))]
        }
    }

    private mutating func reportNoFix(_ devices: DeviceList) -> [Action] {
        guard policy.isEnabled, policy.json, !isWithoutFix else { return [] }
        isWithoutFix = true
        return [.report(devices.noFix)]
    }

    // MARK: Reports

    /// Returns what the client is sent of an epoch, or `nil` if that is nothing.
    mutating func receive(_ messages: EpochMessages) -> ByteBuffer? {
        guard open != nil, wants(messages) else { return nil }
        last = messages
        isWithoutFix = messages.isWithoutFix
        return messages.messages(for: policy)
    }

    /// A Boolean value indicating whether the client may know when its receivers are open and have a fix.
    ///
    /// Attack: a client without a grant learns from that when others use the location, and one with reduced accuracy
    /// when the device gets out of a building.
    var seesActivity: Bool { open != nil && access == .granted(.full) }

    /// Returns whether the client gets the message about a heading or a device, which is JSON.
    func wantsMessage(of device: String?) -> Bool {
        seesActivity && policy.json && wants(device: device)
    }

    /// Attack: a client with reduced accuracy chooses one device after the other, and learns which one has the fix.
    private func wants(_ messages: EpochMessages) -> Bool { messages.isReduced || wants(device: messages.device) }

    private func wants(device: String?) -> Bool {
        guard let chosen = policy.device else { return true }
        return device?.utf8.elementsEqual(chosen.utf8) ?? false
    }
}
