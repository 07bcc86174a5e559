import NIOCore

/// Detects the serial settings of a port from the bytes that arrive.
///
/// Settings are confirmed by two valid sentences, or by one if they were right before. They are ruled out as soon as
/// enough bytes without a sentence have arrived, so one burst of sentences may serve several trials. Silence is not
/// evidence. After detection, it checks that the data stays readable, and starts again if it does not.
///
/// Bytes that arrive within `settlingTime` of a change may have been read by the adapter with the previous settings.
/// Garbage among them is not evidence against the new settings. A sentence among them does not confirm the new
/// settings, since the previous ones may have been right, but it is a reason to wait for the next burst.
///
/// The caller performs the returned actions, and calls `wake(at:)` when `deadline` has passed.
struct BaudRateStateMachine {
    enum Action: Equatable {
        /// Use these settings from now on. Data read before is useless.
        case use(SerialSettings)
        /// Discard the data read so far, and drop received but unread bytes. All later data was received with the new
        /// settings.
        case dropUnread
        /// These settings are right. Data read with them counts.
        case settle(SerialSettings)
    }

    /// The length of a pause that ends a burst. Longer than 16 ms, the time that FTDI's adapters hold bytes back.
    static let pause = TimeAmount.milliseconds(50)
    /// The time after a change while bytes read with the old settings may still arrive. Flushing at the change
    /// does not reach them: FTDI's adapters hold bytes back for 16 ms by default (AN232B-04), others until a USB
    /// packet of 64 bytes is full, and the kernel delivers them a little later.
    static let settlingTime = TimeAmount.milliseconds(40)
    /// The length of silence until other settings are tried, since some adapters may drop unreadable data. Longer than
    /// the interval of most receivers.
    static let dwell = TimeAmount.milliseconds(1500)
    /// The same for settings that were right before.
    static let knownSilenceTimeout = TimeAmount.seconds(4)
    /// The same if there is evidence for the settings: a receiver in a power-saving mode may send every ten seconds.
    static let promisingSilenceTimeout = TimeAmount.seconds(15)
    /// The same if sentences arrived right after the change of settings: some receivers send once a minute.
    static let confirmingSilenceTimeout = TimeAmount.seconds(90)
    /// The minimum time and number of bytes without a valid sentence that make confirmed settings invalid.
    static let garbledTime = TimeAmount.seconds(3)
    static let garbledBytes = 512
    /// The number of bits in the shortest burst: one sentence with a position.
    private static let shortestBurst = 700.0

    /// All settings in the order of the trials. The last confirmed ones come first.
    private var order: [SerialSettings]
    private var isFirstKnown: Bool
    /// The current trial, or `nil` once the settings are detected.
    private var trial: BaudRateTrial?
    /// The time when bytes read with the previous settings can no longer arrive, or `nil` once such bytes were dropped.
    private var settlingEnd: NIODeadline?
    private var round = 0
    /// The settings that were ruled out in this round. Bit n stands for `order[n]`.
    private var wrong: UInt32 = 0
    /// The settings that were abandoned because of silence since the last byte.
    private var silent: UInt32 = 0
    /// All settings tried since the start.
    private var tried: UInt32 = 0
    /// The time of the last byte, or of the start of the trial if that is later.
    private var quietSince: NIODeadline
    private var burst: (start: NIODeadline, end: NIODeadline)?
    /// The lowest baud rate that can have sent a burst as short as the last one.
    private var lowestBaudRate = 0.0
    /// The bytes since the last valid sentence, after detection.
    private var garbled: (since: NIODeadline, bytes: Int)?

    /// Starts on a port that was just opened. Tries the settings first that were right before, if any.
    init(known: SerialSettings?, at now: NIODeadline) {
        order = SerialSettings.all
        isFirstKnown = known != nil
        quietSince = now
        if let known { putFirst(known) }
        attempt(0, at: now)
        settlingEnd = nil
    }

    /// The settings on trial, or the detected ones.
    var settings: SerialSettings { trial?.settings ?? order[0] }

    /// A Boolean value indicating whether detection is in progress.
    var isLooking: Bool { trial != nil }

    /// The baud rates tried since the start, in bits per second, in ascending order.
    var triedSpeeds: [Int] {
        let speeds = order.indices.filter { tried & Self.bit($0) != 0 }.map { order[$0].bitsPerSecond }
        return Set(speeds).sorted()
    }

    /// The time when `wake(at:)` has something to do, or `nil` if only more bytes matter.
    var deadline: NIODeadline? {
        guard let trial else { return nil }
        if let settlingEnd { return settlingEnd }
        return quietSince + (burst == nil ? dwell(of: trial) : Self.pause)
    }

    /// Continues detection after the port was closed and opened again. Detected settings have to be confirmed again.
    /// Received bytes count at once, because opening a port resets its adapter's buffer.
    mutating func reopen(at now: NIODeadline) {
        burst = nil
        quietSince = now
        if trial == nil { restart(at: now) } else { trial?.begin(at: now) }
        settlingEnd = nil
    }

    /// Examines received bytes that contain the ends of `sentences` valid sentences or frames. Returns the action to
    /// perform, if any.
    mutating func receive(_ bytes: RawSpan, sentences: Int, at now: NIODeadline) -> Action? {
        guard trial != nil else { return watch(bytes.byteCount, sentences: sentences, at: now) }
        silent = 0
        if let burst, now >= burst.end + Self.pause, let action = endBurst(burst, at: now) { return action }
        burst = (burst?.start ?? now, now)
        quietSince = now
        if let settlingEnd {
            if now >= settlingEnd { return begin(at: now) }
            trial?.recordEarly(sentences: sentences)
            return nil
        }
        return act(on: trial?.receive(bytes, sentences: sentences, at: now), at: now)
    }

    /// Handles a deadline that has passed without data. Returns the action to perform, if any.
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
        (round, wrong, silent, tried, lowestBaudRate) = (0, 0, 0, 0, 0)
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

    /// Begins the trial proper: bytes read with the previous settings can no longer arrive.
    private mutating func begin(at now: NIODeadline) -> Action {
        settlingEnd = nil
        quietSince = now
        trial?.begin(at: now)
        return .dropUnread
    }

    private func index(of settings: SerialSettings) -> Int {
        // The order contains all settings.
        order.firstIndex(of: settings)!
    }

    private func isKnown(_ settings: SerialSettings) -> Bool { isFirstKnown && settings == order[0] }

    private func dwell(of trial: BaudRateTrial) -> TimeAmount {
        if trial.hasEarlySentences { return Self.confirmingSilenceTimeout }
        if trial.isPromising { return Self.promisingSilenceTimeout }
        return isKnown(trial.settings) ? Self.knownSilenceTimeout : Self.dwell
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

    /// Returns the likeliest settings that are not ruled out. Begins a new round if there are none.
    private mutating func next() -> Int {
        let rest = order.indices.filter { wrong & Self.bit($0) == 0 }
        if let likeliest = rest.first(where: { Double(order[$0].bitsPerSecond) >= lowestBaudRate }) ?? rest.first {
            return likeliest
        }
        round += 1
        wrong = 0
        return 0
    }

    private mutating func endBurst(_ burst: (start: NIODeadline, end: NIODeadline), at now: NIODeadline) -> Action? {
        guard let trial else { return nil }
        self.burst = nil
        if !trial.exceedsBaudRate(at: burst.end) {
            // Adapters and the kernel deliver all data that arrived within the latency at once.
            let duration = burst.end - burst.start + BaudRateTrial.latency
            lowestBaudRate = Self.shortestBurst * 1e9 / Double(duration.nanoseconds)
        }
        // A burst that starts right after the port was opened may have begun earlier.
        return act(on: self.trial?.burstEnded(whole: burst.start >= trial.start + Self.pause), at: now)
    }

    /// Tries other settings after silence. Silence is not evidence against the current ones: they get another turn once
    /// bytes arrive. Data of any framing shows up with the usual one, though garbled, so only baud rates are tried.
    private mutating func leaveSilence(at now: NIODeadline) -> Action {
        silent |= Self.bit(index(of: settings))
        func isOpen(_ index: Int) -> Bool {
            order[index].framing == .eightN1 && (wrong | silent) & Self.bit(index) == 0
        }
        if let index = order.indices.first(where: isOpen) { return attempt(index, at: now) }
        silent = 0
        return attempt(next(), at: now)
    }

    // MARK: After detection

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
