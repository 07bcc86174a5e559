import LocationModel

@testable import Positioning

/// Somebody who asks for location all day long.
protocol Consumer {
    /// What it needs of the receivers now.
    var plan: ReceiverPlan { get }
    /// Takes a fix that counted. Seconds since midnight.
    mutating func observe(_ location: Location, at now: Double)
}

extension Day {
    /// Lives through the day with one consumer, as the daemon does. The share of the day that the receiver was on for.
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
                if duty.take(accuracy: receiver.accuracy, at: now) {
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
