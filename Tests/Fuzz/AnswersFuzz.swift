import LocationModel
import NIOCore

@testable import ReceiverSettings

/// Passes a receiver's answers to the settings of a profile that wants everything. The first byte is the length of the
/// pieces between which time passes.
func fuzzAnswers(_ input: [UInt8]) {
    guard let cut = CutInput(input) else { return }
    let messages = cut.read { pieces in
        var scanner = MessageScanner()
        return pieces.flatMap { scanner.messages(in: $0.span.bytes) }
    }
    for message in messages { precondition(!message.frame.isEmpty) }

    let profile = ReceiverProfile(
        interval: .demand, model: .activity, constellations: [.gps, .galileo], sendsUBX: true, standsBy: true,
        assistance: [.time, .position, .database, .predictions])
    var machine = ReceiverSettingsStateMachine(profile)
    var now = NIODeadline.uptimeNanoseconds(1)
    var writes = 0
    func count(_ actions: [ReceiverSettingsStateMachine.Action]) {
        for case .write(let bytes) in actions {
            writes += 1
            precondition(bytes.count < 4096)
        }
    }
    count(machine.opened(isUSB: input.count % 2 == 0, at: now))
    count(machine.baudRateDetected(capacity: 960, at: now))
    let length = max(1, Int(cut.first))
    for start in stride(from: cut.bytes.startIndex, to: cut.bytes.endIndex, by: length) {
        let piece = Array(cut.bytes[start..<min(start + length, cut.bytes.endIndex)])
        if machine.showsStart(piece.span.bytes) { count(machine.restarted(at: now)) }
        count(machine.receive(piece.span.bytes, at: now))
        if let deadline = machine.deadline, cut.first % 3 > 0 {
            now = max(now, deadline)
            count(machine.wake(at: now))
        }
        if cut.first % 5 == 4 { count(machine.follow(ReceiverDemand(interval: 0.1), bytesPerSecond: 900, at: now)) }
    }
    _ = machine.settings
    count(machine.close(toStandby: true, hasFix: input.count % 3 == 0, at: now))
    // Each message and each deadline leads to a few commands, and the closing puts each value back.
    precondition(writes <= 64 + 8 * (messages.count + cut.bytes.count / length))
}
