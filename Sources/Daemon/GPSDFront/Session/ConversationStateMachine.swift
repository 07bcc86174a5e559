internal import Bytewise
internal import LocationCore
internal import LocationModel
internal import NIOCore
internal import Receivers

/// The conversation with one client: its policy, what it may have, and what it is sent because of both.
///
/// The connection stays open whatever is decided: most clients connect again and again if they lose it. Until there is
/// a grant the client is sent a report that there is no fix, once, and if it was refused an ERROR that says what to run,
/// once. Nothing else that a receiver has reported reaches it.
struct ConversationStateMachine {
    enum Event {
        /// A request of the client has arrived, at this time for the reply to POLL.
        case request(ClientRequest, at: Timestamp)
        /// The app's authorization, whether it has changed or not.
        case authorization(Access)
        /// The subscription was opened. If it was suspended at once, that was reported before.
        case opened
        /// The core has ended the subscription.
        case subscriptionEnded
        /// Nothing is due to the client for now, because it is not in use.
        case suspended
        /// The client is in use again.
        case unsuspended
        /// No receiver is available.
        case receiverLost
    }

    /// Something to be done for the client.
    enum Action: Equatable {
        /// Send a reply, which waits until the client reads it.
        case reply(ByteBuffer)
        /// Send a report.
        case report(WaitingReport)
        /// Drop the reports that wait for the client to read, and for which it needs a grant.
        case dropReports
        /// Open a subscription, with these contents, and report `opened`.
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
    /// A Boolean value indicating whether the last report on the position said that there is no fix, and nothing else.
    private var isNoFixSent = false
    /// A Boolean value indicating whether the open subscription delivers, or `nil` if that is not known yet.
    private var isDelivering: Bool?
    /// The refusal that the client was notified of last.
    private var sentRefusal: Access.Refusal?
    private var isPrompting = false

    init(app: AppIdentity, access: Access) {
        self.app = app
        self.access = access
    }

    /// Handles an event. Returns the actions to perform, in order.
    ///
    /// - Parameter devices: The devices at the moment.
    mutating func handle(_ event: Event, _ devices: DeviceList) -> [Action] {
        switch event {
        case .request(let request, let now): return answer(request, devices, at: now)
        case .authorization(let access):
            guard access != self.access else { return [] }
            self.access = access
            isPrompting = false
            // Attack: accuracy is reduced, and the client then reads a location with full accuracy that was waiting for
            // it, or polls the last one. Another subscription begins with the location of the new accuracy.
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
            // Another subscription begins with the cell, which a client with reduced accuracy would get in a quarter of
            // an hour otherwise.
            return access == .granted(.reduced) ? close() + follow(devices) : []
        // The cell of reduced accuracy stays what it is.
        case .receiverLost: return access == .granted(.reduced) ? [] : forget() + reportNoFix(devices)
        }
    }

    /// Forgets what the client was sent.
    ///
    /// Attack: a client that does not read has a report wait for it, and reads that after its grant was revoked. So
    /// whatever the last report was, those that wait are dropped.
    private mutating func forget() -> [Action] {
        last = nil
        return [.dropReports]
    }

    // MARK: The policy

    /// Changes the policy.
    mutating func change(_ change: WatchChange) { policy.apply(change) }

    /// Makes the subscription follow the policy and the authorization.
    mutating func follow(_ devices: DeviceList) -> [Action] {
        guard case .granted = access, policy.isEnabled else {
            return close() + (policy.isEnabled ? reportNoFix(devices) + explain() : [])
        }
        sentRefusal = nil
        // Nothing is asked of the receivers for a client that does not get it.
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

    /// Returns what the client is sent of an epoch, or `nil` if that is nothing.
    mutating func receive(_ messages: EpochMessages) -> WaitingReport? {
        // Attack: a client with reduced accuracy chooses one device after the other, and learns which one has the fix.
        guard open != nil, messages.isReduced || wants(device: messages.device) else { return nil }
        last = messages
        return report(messages)
    }

    /// Returns the cell again for a client with reduced accuracy, which may have chosen other messages: a new one comes
    /// in a quarter of an hour.
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
    /// Attack: a client without a grant, or one that is suspended, learns from that when others use the location, and
    /// one with reduced accuracy when the device gets out of a building.
    var seesActivity: Bool { isDelivering == true && access == .granted(.full) }

    /// Returns whether the client gets the message about a heading or a device, which is JSON.
    func wantsMessage(of device: String?) -> Bool {
        seesActivity && policy.json && wants(device: device)
    }

    /// Returns whether the client wants reports of a device.
    func wants(device: String?) -> Bool {
        guard let chosen = policy.device else { return true }
        return device?.isBytewiseEqual(to: chosen) ?? false
    }
}
