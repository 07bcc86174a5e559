import LocationModel
import PeerIdentity

/// Fuzzes the messages between the daemon and locationd-peers: requests as the helper receives them, and answers as
/// the daemon does.
func fuzzPeers(_ input: [UInt8]) {
    if let request = PeersRequest(input) {
        precondition(PeersRequest(request.bytes) == request)
        if case .wake(let path, _, _) = request, (try? WakeSocket.validatePath(path)) != nil {
            precondition(path.utf8.first == UInt8(ascii: "/") && !path.utf8.contains { $0 < 0x20 })
        }
    }
    if let answer = PeersReply(input) {
        precondition(PeersReply(answer.bytes) == answer)
        if case .identity(let app) = answer {
            precondition(Array(app.description.utf8) == Array(input.drop { $0 != UInt8(ascii: " ") }.dropFirst()))
        }
    }
}
