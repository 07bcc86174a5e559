/// The number of bytes that a broker may send between acknowledgements.
///
/// A publisher has no subscriptions: it receives CONNACK, an acknowledgement of each message and PINGRESP, each a few
/// bytes long. Attack: a broker sends more and more, keeps this program busy, and fills libmosquitto's memory with
/// messages that are never released.
struct ReceiveAllowance {
    /// The limit before the broker has accepted the connection, in bytes: certificates arrive first.
    static let whileConnecting = 65_536
    /// The limit after that, in bytes. MQTT 5 sends it to the broker as the maximum packet size.
    static let whileConnected = 4096

    private let renewalSeconds: Int64
    private var limit = whileConnecting
    private var received = 0
    private var renewal: Int64

    /// - Parameters:
    ///   - keepAlive: The time after which the connection is checked, in seconds, and the count starts again.
    ///   - now: The time, by any clock, in milliseconds.
    init(keepAlive: Int, now: Int64) {
        renewalSeconds = Int64(keepAlive)
        renewal = now + renewalSeconds * 1000
    }

    /// Handles the arrival of bytes. Returns whether the broker may have sent them.
    mutating func receive(_ count: Int, now: Int64) -> Bool {
        if now >= renewal {
            received = 0
            renewal = now + renewalSeconds * 1000
        }
        received += count
        return received <= limit
    }

    /// Handles the acceptance of the connection.
    mutating func connected() {
        received = 0
        limit = Self.whileConnected
    }

    /// Handles an acknowledgement.
    mutating func acknowledged() { received = 0 }
}
