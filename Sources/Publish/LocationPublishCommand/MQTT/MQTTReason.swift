internal import CMosquitto
internal import Glibc
internal import Publishing

/// The text of a connection's error, with its remedy. It never contains a topic or a payload.
enum MQTTReason {
    private static let sameName = "give each machine a device of its own"
    static let noDescriptors = "this process has no descriptors left"

    /// Returns the broker's reason for refusing the connection.
    static func refusal(_ code: CInt, version: PublisherSettings.MQTTVersion) -> String {
        // MQTT 3.1.1 has its own codes: table 3.1. A broker that does not support MQTT 5 answers with one of these.
        switch code {
        case 1, 0x84:
            version == .mqtt5
                ? "the broker does not speak MQTT 5: set mqtt-version = \"3.1.1\""
                : "the broker does not speak MQTT 3.1.1: set mqtt-version = \"5\""
        case 2, 0x85: "the broker refuses the client identifier: choose another device"
        case 4, 0x86: "the broker refuses the user name or the password: check the credentials of the service"
        case 5, 0x87: "the broker does not authorize this client: check the user, the password and the broker's rules"
        case 3: "the broker refuses the connection: it is not available"
        default: "the broker refuses the connection: \(text(code))"
        }
    }

    /// Returns the broker's reason for ending the connection: a reason code of MQTT 5.
    static func end(_ code: CInt, clientIdentifier: String) -> String {
        // MQTT 5, 3.14.2.1: 0x8E is "session taken over".
        code == 0x8E
            ? "another client is \(clientIdentifier) now: \(sameName)"
            : "the broker ended the connection: \(text(code))"
    }

    /// Returns libmosquitto's words for a reason code of MQTT 5.
    static func text(_ code: CInt) -> String {
        String(cString: mosquitto_reason_string(code)) + " (0x\(String(code, radix: 16)))"
    }

    /// Returns the reason why a connection failed or was lost.
    ///
    /// - Parameters:
    ///   - errno: The error of the last system call.
    ///   - logged: The last error that libmosquitto logged.
    static func failure(_ status: CInt, errno: CInt, logged: String?, isConnected: Bool) -> String {
        let system = String(cString: strerror(errno))
        switch mosq_err_t(rawValue: mosq_err_t.RawValue(truncatingIfNeeded: status)) {
        case MOSQ_ERR_EAI, MOSQ_ERR_LOOKUP: return "the name of the broker's host cannot be looked up"
        case MOSQ_ERR_ERRNO where errno == 0 || errno == ECONNRESET || errno == EPIPE: return lost(isConnected)
        case MOSQ_ERR_ERRNO: return system
        case MOSQ_ERR_CONN_LOST, MOSQ_ERR_NO_CONN: return lost(isConnected)
        case MOSQ_ERR_KEEPALIVE: return "the broker has not answered within the keep-alive time"
        case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE:
            return "TLS failed: \(logged ?? "the broker has ended the handshake"); check the broker's certificate, "
                + "its name and the authorities in [tls] ca"
        case MOSQ_ERR_PROTOCOL, MOSQ_ERR_MALFORMED_PACKET, MOSQ_ERR_MALFORMED_UTF8, MOSQ_ERR_DUPLICATE_PROPERTY,
            MOSQ_ERR_TOPIC_ALIAS_INVALID:
            return "the broker has sent something that is not MQTT"
        case MOSQ_ERR_RETAIN_NOT_SUPPORTED: return "the broker does not retain messages, which the format needs"
        case MOSQ_ERR_QOS_NOT_SUPPORTED: return "the broker does not acknowledge messages (QoS 1)"
        case MOSQ_ERR_OVERSIZE_PACKET: return "the broker accepts only smaller messages"
        default: return logged ?? String(cString: mosquitto_strerror(status))
        }
    }

    private static func lost(_ isConnected: Bool) -> String {
        // Neither mosquitto 2.0.11 nor any broker with MQTT 3.1.1 reports that another client has taken over the
        // session.
        isConnected
            ? "the broker closed the connection; if this keeps happening, \(sameName)"
            : "the broker closed the connection before it accepted it"
    }
}
