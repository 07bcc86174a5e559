/// The identity of a report, which is the same each time the report is sent.
///
/// A report may arrive twice: if the acknowledgement is lost with the connection, or the publisher is killed before it
/// has noted it. The reports of one queue have increasing numbers and are sent in this order. So a consumer that keeps
/// the greatest number of each queue, and drops each message whose number is not greater, has every report once and
/// in order. The time alone would not do: a receiver's clock may be set back.
package struct ReportIdentity: Sendable, Hashable, CustomStringConvertible {
    /// The name of the queue: 16 hexadecimal digits, drawn when the queue was created.
    package let queue: String
    /// The number of the report in its queue, from 1. A number is never used again.
    package let number: Int64

    /// Creates an identity.
    package init(queue: String, number: Int64) {
        self.queue = queue
        self.number = number
    }

    /// The identity as it is sent: `QUEUE-NUMBER`.
    package var description: String { "\(queue)-\(number)" }
}
