import LocationModel
import NIOCore

@testable import ReceiverSettings

/// A port between the settings of a profile and an emulated receiver, with a clock of its own.
final class Conversation {
    var machine: ReceiverSettingsStateMachine
    var receiver: EmulatedReceiver
    private(set) var now = NIODeadline.uptimeNanoseconds(1_000_000_000)
    /// The frames that were written, in their order.
    private(set) var written: [[UInt8]] = []
    private(set) var isPortClosed = false
    var help = FirstFixHelp()
    /// The stored navigation databases by their receivers.
    var databases: [String: [UInt8]] = [:]

    init(_ profile: ReceiverProfile, with receiver: EmulatedReceiver) {
        machine = ReceiverSettingsStateMachine(profile)
        self.receiver = receiver
    }

    convenience init(_ profile: ReceiverProfile, with personality: EmulatedReceiver.Personality) {
        self.init(profile, with: EmulatedReceiver(personality))
    }

    /// Opens the port, and answers and waits until nothing is left to do.
    func open(baudRate: Double? = nil, isUSB: Bool = false) {
        begin(baudRate: baudRate, isUSB: isUSB)
        settle()
    }

    /// Opens the port.
    func begin(baudRate: Double? = nil, isUSB: Bool = false) {
        isPortClosed = false
        perform(machine.opened(isUSB: isUSB, at: now))
        perform(machine.baudRateDetected(capacity: baudRate.map { $0 / 10 }, at: now))
    }

    func follow(_ demand: ReceiverDemand, bytesPerSecond: Double? = nil) {
        perform(machine.follow(demand, bytesPerSecond: bytesPerSecond, at: now))
        settle()
    }

    /// Corrections have begun to arrive.
    func reportCorrections() {
        perform(machine.reportCorrections(at: now))
        settle()
    }

    func followWithoutWaiting(_ demand: ReceiverDemand) {
        perform(machine.follow(demand, bytesPerSecond: nil, at: now))
    }

    func close(toStandby: Bool = true, hasFix: Bool = false) {
        perform(machine.close(toStandby: toStandby, hasFix: hasFix, at: now))
    }

    /// Closes the port while it is open for the receiver's database.
    func closedForOthers() { perform(machine.closed(at: now)) }

    func receive(_ bytes: [UInt8]) {
        if machine.showsStart(bytes.span.bytes) { perform(machine.restarted(at: now)) }
        perform(machine.receive(bytes.span.bytes, at: now))
    }

    func pass(_ time: TimeAmount) {
        now = now + time
        if let deadline = machine.deadline, deadline <= now { perform(machine.wake(at: now)) }
    }

    /// Waits for all deadlines but those of checks, which come minutes later.
    func settle() {
        while let deadline = machine.deadline, deadline - now < .minutes(2) {
            now = deadline
            perform(machine.wake(at: now))
        }
    }

    private func perform(_ actions: [ReceiverSettingsStateMachine.Action]) {
        for action in actions {
            switch action {
            case .write(let bytes): write(bytes)
            case .help: write(machine.commands(helping: help))
            case .loadDatabase(let owner): perform(machine.databaseLoaded(databases[owner], of: owner, at: now))
            case .keepDatabase(let database, let owner): databases[owner] = database
            case .closePort: isPortClosed = true
            }
        }
    }

    private func write(_ bytes: [UInt8]) {
        written.append(bytes)
        for answer in receiver.answer(bytes) { receive(answer) }
    }

    func outcome(_ name: ReceiverSetting.Name) -> ReceiverSetting? { machine.settings.first { $0.name == name } }
}
