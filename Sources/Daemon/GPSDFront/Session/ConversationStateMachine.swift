internal import Bytewise
internal import LocationCore
internal import LocationModel
internal import NIOCore
internal import Receivers

/// The conversation with one client: its policy, its access, and the messages that follow from both.
///
/// The connection stays open whatever is decided, because most clients reconnect without end if they lose it. Without a
/// grant, the client receives one report that there is no fix and, if it was refused, one ERROR that says what to run.
/// No other data of a receiver reaches it.
struct ConversationStateMachine {
    enum Event {
        /// A request of the client has arrived. The time is for the reply to POLL.
        case request(ClientRequest, at: Timestamp)
        /// The app's authorization, which may have changed.
        case authorization(Access)
        /// The subscription was opened. If it was suspended at once, that was reported before.
        case opened
        /// The core has ended the subscription.
        case subscriptionEnded
        /// The client receives nothing for now, because it is not in use.
        case suspended
        /// The client is in use again.
        case unsuspended
        /// No receiver is available.
        case receiverLost
    }

    /// An action to perform for the client.
    enum Action: Equatable {
        /// Send a reply, which waits until the client reads it.
        case reply(ByteBuffer)
        /// Send a report.
        case report(WaitingReport)
        /// Drop the waiting reports that require a grant.
        case dropReports
        /// Open a subscription with these contents, and report `opened`.
        case open(ReceiverReportContents)
        /// Close the subscription.
        case close
        /// Have the user prompted.
        case prompt
    }

    private let app: AppIdentity
    private(set) var policy = WatchPolicy()
    private(set) var access: Access
    /// The contents of the open subscription, or `nil` if none is open.
    private(set) var open: ReceiverReportContents?
    /// The messages that POLL repeats, or `nil` if there is no fix.
    private(set) var last: EpochMessages?
    /// A Boolean value indicating whether the last report on the position only said that there is no fix.
    private var isNoFixSent = false
    /// A Boolean value indicating whether the open subscription delivers, or `nil` if that is not known yet.
    private var isDelivering: Bool?
    /// The last refusal that the client was sent.
    private var sentRefusal: Access.Refusal?
    private var isPrompting = false

    init(app: AppIdentity, access: Access) {
        self.app = app
        self.access = access
    }

    /// Handles an event. Returns the actions to perform, in order.
    ///
    /// - Parameter devices: The present devices.
    mutating func handle(_ event: Event, _ devices: DeviceList) -> [Action] {
        switch event {
        case .request(let request, let now): return answer(request, devices, at: now)
        case .authorization(let access):
            guard access != self.access else { return [] }
            self.access = access
            isPrompting = false
            // Attack: accuracy is reduced, and the client then reads a waiting location with full accuracy, or polls
            // the last one. Another subscription begins with the location of the new accuracy.
            return close() + follow(devices)
        case .opened:
            if open != nil, isDelivering == nil { isDelivering = true }
            return []
        case .subscriptionEnded:
            (open, isDelivering) = (nil, nil)
            return forget() + reportNoFix(devices)
        case .suspended:
            isDelivering = false
            return forget() + reportNoFix(devices)
        case .unsuspended:
            isDelivering = true
            // Another subscription begins with the cell. Otherwise a client with reduced accuracy would wait a quarter
            // of an hour for it.
            return access == .granted(.reduced) ? close() + follow(devices) : []
        // The cell of reduced accuracy does not change.
        case .receiverLost: return access == .granted(.reduced) ? [] : forget() + reportNoFix(devices)
        }
    }

    /// Forgets the reports that the client was sent.
    ///
    /// Attack: a client that does not read has a report waiting for it, and reads it after its grant was revoked. So
    /// waiting reports are dropped, whatever the last report was.
    private mutating func forget() -> [Action] {
        last = nil
        return [.dropReports]
    }

    // MARK: The policy

    /// Changes the policy.
    mutating func change(_ change: WatchChange) { policy.apply(change) }

    /// Opens, replaces or closes the subscription according to the policy and the authorization.
    mutating func follow(_ devices: DeviceList) -> [Action] {
        guard case .granted = access, policy.isEnabled else {
            return close() + (policy.isEnabled ? reportNoFix(devices) + explain() : [])
        }
        sentRefusal = nil
        // Receivers are not asked for data that the client does not receive.
        let contents = access == .granted(.full) ? policy.reportContents : []
        guard open != contents else { return [] }
        let actions = close()
        open = contents
        return actions + [.open(contents)]
    }

    private mutating func close() -> [Action] {
        guard open != nil else { return [] }
        (open, isDelivering) = (nil, nil)
        return forget() + [.close]
    }

    /// Has the user prompted, or sends the client what the user can do.
    mutating func explain() -> [Action] {
        switch access {
        case .granted: return []
        case .undecided:
            guard !isPrompting else { return [] }
            isPrompting = true
            return [.prompt]
        case .refused(let refusal):
            // A program that only polls reads one line for each request, and would mistake the error for the reply.
            guard refusal != sentRefusal, policy.json || policy.wantsSentences else { return [] }
            sentRefusal = refusal
            let error = ByteBuffer(line: { $0.error(refusal.message(for: app)) })
            return [.report(WaitingReport(subject: .refusal, content: .nothing, bytes: error))]
        }
    }

    private mutating func reportNoFix(_ devices: DeviceList) -> [Action] {
        guard policy.isEnabled, policy.json, !isNoFixSent else { return [] }
        isNoFixSent = true
        return [.report(WaitingReport(subject: .position, content: .nothing, bytes: devices.noFix))]
    }

    // MARK: Reports

    /// Returns the report on an epoch for the client, or `nil` if there is none.
    mutating func receive(_ messages: EpochMessages) -> WaitingReport? {
        // Attack: a client with reduced accuracy chooses one device after the other, and learns which one has the fix.
        guard open != nil, messages.isReduced || wants(device: messages.device) else { return nil }
        last = messages
        return report(messages)
    }

    /// Returns the cell again for a client with reduced accuracy, which may have chosen other messages. Otherwise it
    /// would wait a quarter of an hour for a new one.
    mutating func repeatCell() -> [Action] {
        guard let last, last.isReduced, let report = report(last) else { return [] }
        return [.report(report)]
    }

    private mutating func report(_ messages: EpochMessages) -> WaitingReport? {
        guard let bytes = messages.messages(for: policy) else { return nil }
        isNoFixSent = false
        return WaitingReport(subject: .position, content: messages.isWithoutFix ? .detail : .location, bytes: bytes)
    }

    /// A Boolean value indicating whether the client may know when its receivers are open and have a fix.
    ///
    /// Attack: this would show a client without a grant, or a suspended one, when others use the location, and a client
    /// with reduced accuracy when the device leaves a building.
    var seesActivity: Bool { isDelivering == true && access == .granted(.full) }

    /// Returns whether the client receives JSON messages about headings and about this device.
    func wantsMessage(of device: String?) -> Bool {
        seesActivity && policy.json && wants(device: device)
    }

    /// Returns whether the client wants reports of a device.
    func wants(device: String?) -> Bool {
        guard let chosen = policy.device else { return true }
        return device?.isBytewiseEqual(to: chosen) ?? false
    }
}
