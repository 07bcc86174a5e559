import NIOCore

/// Finds out how a serial line is to be read, from what comes in.
///
/// Settings are right when two valid sentences came with them; one is enough for those that were right before. They are
/// wrong as soon as enough came that is none, so that one burst of sentences may be enough for several trials; a line on
/// which nothing comes tells nothing. Once they are found it watches whether the line stays readable, and starts again when
/// it does not.
///
/// What is received within `settlingTime` of a change may have been read by the adapter before it, with the settings before.
/// Garbage in it says nothing against the new settings, and a sentence in it only that they are worth waiting for the next
/// burst: those that were left may have been the right ones.
///
/// The caller does what the actions say, and calls `wake(at:)` when `deadline` has passed.
struct BaudRateDetector {
    enum Action: Equatable {
        /// Read the line with these settings from now on; what was read before is of no use.
        case use(SerialSettings)
        /// Forget what was read, and drop what was received and not yet read: what is received from now on was read with
        /// the new settings.
        case dropUnread
        /// These are right: what was read with them counts.
        case settle(SerialSettings)
    }

    /// So long a pause ends a burst. Longer than the 16 ms for which FTDI's adapters keep bytes.
    static let pause = TimeAmount.milliseconds(50)
    /// How long after a change of the settings bytes of the old ones may still arrive. A flush at the change does not reach
    /// them: FTDI's adapters keep bytes for 16 ms by default (AN232B-04), others until a USB packet of 64 bytes is full, and
    /// the kernel hands them over a little later.
    static let settlingTime = TimeAmount.milliseconds(40)
    /// How long a line may be silent before other settings are tried, since there may be adapters that drop what they
    /// cannot read. Longer than the interval of most receivers.
    static let dwell = TimeAmount.milliseconds(1500)
    /// The same with settings that were right before.
    static let knownDwell = TimeAmount.seconds(4)
    /// The same where something speaks for the settings: a receiver that saves power may send every ten seconds.
    static let promisingDwell = TimeAmount.seconds(15)
    /// The same where sentences came right after the settings were changed: some receivers send once a minute.
    static let confirmingDwell = TimeAmount.seconds(90)
    /// Settings that were right are given up after so long, and so many bytes, without a valid sentence.
    static let garbledTime = TimeAmount.seconds(3)
    static let garbledBytes = 512
    /// Bits of the shortest burst: one sentence with a position.
    private static let shortestBurst = 700.0

    /// All settings, in the order of the trials. Those that were right last come first.
    private var order: [SerialSettings]
    private var isFirstKnown: Bool
    /// `nil` once the settings are found.
    private var trial: BaudRateTrial?
    /// When bytes of the settings before can no longer arrive; `nil` once they were dropped.
    private var settlingEnd: NIODeadline?
    private var round = 0
    /// Bit n stands for number n of `order`: those that were seen to be wrong in this round,
    private var wrong: UInt32 = 0
    /// those that were left because nothing came, since the last byte,
    private var silent: UInt32 = 0
    /// and all that were tried since it began.
    private var tried: UInt32 = 0
    /// Since when nothing has come, or since when the settings are tried.
    private var quietSince: NIODeadline
    private var burst: (start: NIODeadline, end: NIODeadline)?
    /// The least speed at which a burst can have been as short as the last one.
    private var leastSpeed = 0.0
    /// What came since the last valid sentence, once the settings are found.
    private var garbled: (since: NIODeadline, bytes: Int)?

    /// Begins with the settings that were right before, if there are such, on a port that was just opened.
    init(known: SerialSettings?, at now: NIODeadline) {
        order = SerialSettings.all
        isFirstKnown = known != nil
        quietSince = now
        if let known { putFirst(known) }
        attempt(0, at: now)
        settlingEnd = nil
    }

    /// The settings that are tried, or that were found.
    var settings: SerialSettings { trial?.settings ?? order[0] }

    /// A Boolean value indicating whether it still looks for the right settings.
    var isLooking: Bool { trial != nil }

    /// The speeds that were tried since it began, in bits per second, in rising order.
    var triedSpeeds: [Int] {
        let speeds = order.indices.filter { tried & Self.bit($0) != 0 }.map { order[$0].bitsPerSecond }
        return Set(speeds).sorted()
    }

    /// When `wake(at:)` has something to do; `nil`: not before more comes.
    var deadline: NIODeadline? {
        guard let trial else { return nil }
        if let settlingEnd { return settlingEnd }
        return quietSince + (burst == nil ? dwell(of: trial) : Self.pause)
    }

    /// Continues the search after the port was closed and opened again; settings that were found have to prove themselves
    /// once more. What is received counts at once: opening a port resets what its adapter held.
    mutating func reopen(at now: NIODeadline) {
        burst = nil
        quietSince = now
        if trial == nil { restart(at: now) } else { trial?.begin(at: now) }
        settlingEnd = nil
    }

    /// Takes what was read, in which that many valid sentences ended.
    mutating func take(_ bytes: RawSpan, sentences: Int, at now: NIODeadline) -> Action? {
        guard trial != nil else { return watch(bytes.byteCount, sentences: sentences, at: now) }
        silent = 0
        if let burst, now >= burst.end + Self.pause, let action = endBurst(burst, at: now) { return action }
        burst = (burst?.start ?? now, now)
        quietSince = now
        if let settlingEnd {
            if now >= settlingEnd { return begin(at: now) }
            trial?.takeEarly(sentences: sentences)
            return nil
        }
        return act(on: trial?.take(bytes, sentences: sentences, at: now), at: now)
    }

    /// Nothing has come for some time.
    mutating func wake(at now: NIODeadline) -> Action? {
        guard let deadline, now >= deadline else { return nil }
        if settlingEnd != nil { return begin(at: now) }
        return if let burst { endBurst(burst, at: now) } else { leaveSilence(at: now) }
    }

    // MARK: Trials

    private static func bit(_ index: Int) -> UInt32 { 1 << UInt32(index) }

    private mutating func putFirst(_ settings: SerialSettings) {
        order.removeAll { $0 == settings }
        order.insert(settings, at: 0)
    }

    private mutating func restart(at now: NIODeadline) {
        (round, wrong, silent, tried, leastSpeed) = (0, 0, 0, 0, 0)
        attempt(0, at: now)
    }

    @discardableResult
    private mutating func attempt(_ index: Int, at now: NIODeadline) -> Action {
        trial = BaudRateTrial(order[index], isKnown: isKnown(order[index]), round: round, at: now)
        tried |= Self.bit(index)
        settle(at: now)
        return .use(order[index])
    }

    private mutating func settle(at now: NIODeadline) {
        settlingEnd = now + Self.settlingTime
        quietSince = now
    }

    /// Bytes of the settings before can no longer arrive.
    private mutating func begin(at now: NIODeadline) -> Action {
        settlingEnd = nil
        quietSince = now
        trial?.begin(at: now)
        return .dropUnread
    }

    private func index(of settings: SerialSettings) -> Int {
        // Every setting is in the order.
        order.firstIndex(of: settings)!
    }

    private func isKnown(_ settings: SerialSettings) -> Bool { isFirstKnown && settings == order[0] }

    private func dwell(of trial: BaudRateTrial) -> TimeAmount {
        if trial.hasEarlySentences { return Self.confirmingDwell }
        if trial.isPromising { return Self.promisingDwell }
        return isKnown(trial.settings) ? Self.knownDwell : Self.dwell
    }

    private mutating func act(on verdict: BaudRateTrial.Verdict?, at now: NIODeadline) -> Action? {
        guard let verdict, let trial else { return nil }
        wrong |= Self.bit(index(of: trial.settings))
        switch verdict {
        case .right:
            self.trial = nil
            burst = nil
            garbled = nil
            putFirst(trial.settings)
            isFirstKnown = true
            return .settle(trial.settings)
        case .framing(let framing):
            let hinted = index(of: SerialSettings(trial.settings.bitsPerSecond, framing))
            return attempt(wrong & Self.bit(hinted) == 0 ? hinted : next(), at: now)
        case .wrong:
            return attempt(next(), at: now)
        }
    }

    /// The likeliest of those that were not seen to be wrong. A new round begins when there is none.
    private mutating func next() -> Int {
        let rest = order.indices.filter { wrong & Self.bit($0) == 0 }
        if let likeliest = rest.first(where: { Double(order[$0].bitsPerSecond) >= leastSpeed }) ?? rest.first {
            return likeliest
        }
        round += 1
        wrong = 0
        return 0
    }

    private mutating func endBurst(_ burst: (start: NIODeadline, end: NIODeadline), at now: NIODeadline) -> Action? {
        guard let trial else { return nil }
        self.burst = nil
        if !trial.isFasterThanItsLine(at: burst.end) {
            // Adapters and the kernel hand over together what came within some time.
            let duration = burst.end - burst.start + BaudRateTrial.latency
            leastSpeed = Self.shortestBurst * 1e9 / Double(duration.nanoseconds)
        }
        // What comes as soon as the port is open may have begun before.
        return act(on: self.trial?.burstEnded(whole: burst.start >= trial.start + Self.pause), at: now)
    }

    /// Silence is no evidence against the settings: they get their turn again as soon as something comes. A line with another
    /// framing is heard with the usual one, if wrongly: only speeds are gone through.
    private mutating func leaveSilence(at now: NIODeadline) -> Action {
        silent |= Self.bit(index(of: settings))
        func isOpen(_ index: Int) -> Bool {
            order[index].framing == .eightN1 && (wrong | silent) & Self.bit(index) == 0
        }
        if let index = order.indices.first(where: isOpen) { return attempt(index, at: now) }
        silent = 0
        return attempt(next(), at: now)
    }

    // MARK: Once they are found

    private mutating func watch(_ count: Int, sentences: Int, at now: NIODeadline) -> Action? {
        guard sentences == 0 else {
            garbled = nil
            return nil
        }
        garbled = (garbled?.since ?? now, (garbled?.bytes ?? 0) + count)
        guard let garbled, garbled.bytes >= Self.garbledBytes, now >= garbled.since + Self.garbledTime else {
            return nil
        }
        self.garbled = nil
        restart(at: now)
        return .use(settings)
    }
}
