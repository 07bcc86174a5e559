import LocationModel

@testable import Positioning

/// A client that uses the location all day long.
protocol Consumer {
    /// The receiver plan that the consumer currently needs.
    var plan: ReceiverPlan { get }
    /// Handles a fix that counted. `now` is in seconds since midnight.
    mutating func observe(_ location: Location, at now: Double)
}

extension Day {
    /// Simulates the day with one consumer, as the daemon would serve it. Returns the share of the day during which
    /// the receiver was on.
    func live(_ consumer: inout some Consumer) -> Double {
        var duty = DutyCycle()
        var receiver = ReceiverModel(day: self)
        var now = 0.0
        var onFor = 0.0
        duty.follow(consumer.plan, at: now)
        receiver.setOpen(duty.isOpen, at: now)
        while now < Self.length {
            let next = min(receiver.nextFix ?? .infinity, duty.deadline ?? .infinity, Self.length)
            if receiver.nextFix != nil { onFor += next - now }
            now = next
            if receiver.nextFix == now {
                if duty.admit(accuracy: receiver.accuracy, at: now) {
                    consumer.observe(receiver.location(at: now), at: now)
                    duty.follow(consumer.plan, at: now)
                }
                receiver.advance()
            }
            duty.advance(to: now)
            receiver.setOpen(duty.isOpen, at: now)
        }
        return onFor / Self.length
    }
}
