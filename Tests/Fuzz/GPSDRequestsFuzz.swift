import JSON
import LocationModel
import NIOCore

@testable import GPSDFront
@testable import LocationCore

/// Fuzzes the requests of gpsd's clients: cut out of a byte stream, parsed, and handled by a session in each state of
/// its authorization.
func fuzzGPSDRequests(_ bytes: [UInt8]) {
    guard let outcome = CutInput(bytes)?.read(GPSDRequests.init(of:)) else { return }
    for access in [.undecided, .refused(.denied), .granted(.reduced), .granted(.full)] as [Access] {
        handle(outcome.requests, under: access)
    }
}

private struct GPSDRequests: Equatable {
    var requests: [ClientRequest] = []
    var overlong = 0

    init(of pieces: [[UInt8]]) {
        var splitter = RequestSplitter()
        for piece in pieces {
            var offset = 0
            while let part = splitter.next(in: piece.span.bytes, at: &offset) {
                switch part {
                case .request(let text):
                    precondition(text.count <= RequestSplitter.maximumLength && text.first == UInt8(ascii: "?"))
                    requests.append(ClientRequest(parsing: text))
                case .overlong: overlong += 1
                }
            }
        }
    }
}

/// Traps if a session sends something that is not a whole line, or a place without a grant.
private func handle(_ requests: [ClientRequest], under access: Access) {
    guard let app = AppIdentity(kind: .exe, name: "/fuzz") else { return }
    let time = Timestamp(millisecondsSince1970: 0)
    let device = ListedDevice(id: 0, receiver: "fuzz", path: "/dev/ttyUSB0", driver: "NMEA0183", activated: time)
    var session = ConversationStateMachine(app: app, access: access)
    let location = Location(timestamp: time, latitude: 1, longitude: 2)
    let epoch = EpochMessages(location, report: nil, isReduced: true, device: device.path)
    for request in requests {
        for action in session.handle(.request(request, at: time), DeviceList([device])) {
            switch action {
            case .reply(let bytes): check(bytes, access)
            case .report(let report): check(report.bytes, access)
            case .open:
                precondition(access.isGranted, "a subscription without a grant")
                _ = session.handle(.opened, DeviceList([device]))
            case .close, .dropReports, .prompt: break
            }
        }
        if let report = session.receive(epoch) { check(report.bytes, access) }
    }
}

private func check(_ bytes: ByteBuffer, _ access: Access) {
    let text = bytes.readableBytesUInt8Span
    precondition(
        text.count > 2 && text[text.count - 2] == UInt8(ascii: "\r") && text[text.count - 1] == UInt8(ascii: "\n"))
    if text[0] == UInt8(ascii: "$") { return precondition(access.isGranted, "a sentence without a grant") }
    // A line of JSON, perhaps after sentences.
    let line = Array(bytes.readableBytesView.dropLast(2))
    guard let last = line.split(separator: UInt8(ascii: "\n")).last,
        let message = try? JSONValue(parsing: Array(last).span), message["class"]?.string != nil
    else { fatalError("not a message") }
    precondition(message["lat"] == nil || access.isGranted, "a place without a grant")
}

extension Access {
    fileprivate var isGranted: Bool {
        if case .granted = self { true } else { false }
    }
}
