/// A program under measurement: it reads epochs from a serial port and tells subscribers of them.
protocol Subject: AnyObject {
    /// What the table calls it.
    var name: String { get }
    /// The process.
    var process: ChildProcess { get }
    /// Where its receiver is plugged in.
    var port: PseudoTerminal { get }
    /// How many it can serve.
    var maximumSubscribers: Int { get }
    /// How its events are told from one another.
    var framing: Framing { get }

    /// A new connection that gets every event from now on.
    func subscribe() throws -> Socket
    /// What the event of an epoch has in it, and no other.
    func mark(of epoch: Epoch) -> String
    /// Returns when this many subscribers have been taken note of.
    func awaitSubscribers(_ count: Int) throws
}

/// How a stream is cut into messages, and which of them are events.
struct Framing {
    /// The byte that ends a message.
    let terminator: UInt8
    /// How a message that is an event begins.
    let prefix: [UInt8]
}
