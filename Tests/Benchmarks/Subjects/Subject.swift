/// A program under measurement: it reads epochs from a serial port and sends events to subscribers.
protocol Subject: AnyObject {
    /// The name in the table.
    var name: String { get }
    /// The process.
    var process: ChildProcess { get }
    /// The serial port of its receiver.
    var port: PseudoTerminal { get }
    /// The number of subscribers that it can serve.
    var maximumSubscribers: Int { get }
    /// The framing of its events.
    var framing: Framing { get }

    /// Returns a new connection that receives every event from now on.
    func subscribe() throws -> Socket
    /// Returns a text that occurs in the event of `epoch` and in no other.
    func mark(of epoch: Epoch) -> String
    /// Returns when the subject has registered this many subscribers.
    func awaitSubscribers(_ count: Int) throws
}

/// The way a byte stream is cut into messages, and the mark of those that are events.
struct Framing {
    /// The byte that ends a message.
    let terminator: UInt8
    /// The first bytes of a message that is an event.
    let prefix: [UInt8]
}
