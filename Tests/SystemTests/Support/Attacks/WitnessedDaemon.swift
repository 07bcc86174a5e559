import Foundation
import LocationModel
import LocationProtocol
import TestSupport
import Varlink

/// A daemon with a receiver on a wire and another app, which has a grant and receives each fix.
///
/// Fixes that the other app has received have reached the daemon, so a test knows the fixes that a client did not get.
class WitnessedDaemon {
    let wire: Wire
    let daemon: TestDaemon
    private let witness: RunningProgram
    /// The second of the next epoch.
    private(set) var nextSecond = 0

    /// The path of the receiver, as clients see it.
    var device: String { wire.path }

    /// Starts the daemon, as ``TestDaemon`` does.
    init(configuration: String, launcher: [String] = []) async throws {
        wire = try Wire(sendsTexts: true)
        daemon = try await TestDaemon(
            receivers: ["serial:\(wire.path)@9600"], configuration: configuration, launcher: launcher)
        try await daemon.grantCtl(.always)
        witness = try daemon.startCtl("watch", "--json", "--no-pauses")
        try await daemon.waitUntilOpen()
    }

    /// Writes epochs until the other app has received one of them. Returns its second. The others may have been lost:
    /// the receiver is, if this process or the daemon does not run for five seconds. So the next one is written only
    /// after a second without the one before: a daemon with much to do is not given more.
    @discardableResult func pass() async throws -> Int {
        let first = nextSecond
        var seen: Int?
        var next = ContinuousClock.now
        try await eventually("a fix: \(witness.errors)") {
            if ContinuousClock.now >= next {
                wire.offer(epoch(nextSecond))
                nextSecond += 1
                next = .now + .seconds(1)
            }
            let output = witness.output
            seen = (first..<nextSecond).last { output.contains(Sentences.timestamp($0)) }
            return seen != nil
        }
        return try seen ?? { throw Overdue(what: "a fix") }()
    }

    /// Writes the next epoch, all of it, as soon as there is room.
    func write() {
        wire.write(epoch(nextSecond))
        nextSecond += 1
    }

    /// Writes epochs until a condition holds.
    func passEpochs(until what: String, _ condition: () async throws -> Bool) async throws {
        try await eventually(what) {
            wire.offer(epoch(nextSecond))
            nextSecond += 1
            return try await condition()
        }
    }

    /// Writes an epoch a second, as a receiver does, until the body has returned, and returns its result.
    func passInRhythm<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await body() }
            while true {
                wire.offer(epoch(nextSecond))
                nextSecond += 1
                group.addTask {
                    try await Task.sleep(for: .seconds(1))
                    return nil
                }
                if let result = try await group.next() ?? nil {
                    group.cancelAll()
                    return result
                }
            }
        }
    }

    /// Returns an epoch with position, dilutions and three satellites.
    private func epoch(_ second: Int) -> String {
        Sentences.epoch(second) + Sentences.sentence("GPGSA,A,3,04,05,09,,,,,,,,,,1.5,0.9,1.2")
            + Sentences.sentence("GPGSV,1,1,03,04,40,083,46,05,17,308,41,09,07,344,39")
    }

    /// Grants this process access to the location.
    func grantSelf(_ accuracy: AccuracyAuthorization = .full) async throws {
        try await daemon.grantSelf(accuracy)
    }
}
