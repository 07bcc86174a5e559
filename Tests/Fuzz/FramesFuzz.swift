import NIOCore

@testable import Varlink

/// Fuzzes the input of a Varlink socket: frames cut out of a byte stream, the JSON in them, and the calls in the
/// JSON.
func fuzzFrames(_ bytes: [UInt8]) {
    guard let outcome = CutInput(bytes)?.read(Outcome.init(of:)) else { return }
    for frame in outcome.frames { check(frame) }
}

private let maximumFrameSize = 1024

private struct Outcome: Equatable {
    var frames: [[UInt8]] = []
    var isTooLong = false

    init(of pieces: [[UInt8]]) {
        var decoder = FrameDecoder(maximumFrameSize: maximumFrameSize)
        do throws(FrameDecoder.FrameTooLong) {
            for piece in pieces {
                var buffer = ByteBuffer(bytes: piece)
                while let frame = try decoder.next(&buffer) { frames.append(Array(frame.readableBytesView)) }
            }
        } catch {
            isTooLong = true
        }
    }
}

private func check(_ frame: [UInt8]) {
    precondition(frame.count <= maximumFrameSize && !frame.contains(0))
    guard let value = try? JSONValue(parsing: frame.span) else {
        precondition((try? Request(parsing: ByteBuffer(bytes: frame), maximumDepth: 32)) == nil)
        return
    }
    // A value that parses stays the same when it is written and parsed again, and is always written in the same way.
    let text = written { $0.value(value) }
    guard let again = try? JSONValue(parsing: text.span) else { fatalError("what was written does not parse") }
    precondition(again == value && written { $0.value(again) } == text)
    if case .object = value {
        guard let encoded = try? Frame.reply(parameters: value) else { fatalError("what was read is not written") }
        let reply = try? JSONValue(
            parsing: encoded.readableBytesUInt8Span.extracting(droppingLast: 1), maximumDepth: 33)
        precondition(reply?["parameters"] == value)
    }
    guard let request = try? Request(parsing: ByteBuffer(bytes: frame), maximumDepth: 32) else { return }
    validate(request.parameters)
}

private func written(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    body(&writer)
    return writer.bytes
}

/// Traps if parameters that the interface accepts cannot be decoded as the program's own type.
private func validate(_ parameters: JSONValue) {
    let interface = interface
    guard (try? interface.validate(parameters, fields: interface.methods[0].input)) != nil else { return }
    do { _ = try parameters.decoded(as: Parameters.self) } catch { fatalError("\(parameters): \(error)") }
}

private struct Parameters: Decodable {
    struct Place: Decodable {
        var latitude: Double
        var longitude: Double
    }
    enum Accuracy: String, Decodable { case full, reduced }

    var place: Place?
    var accuracy: Accuracy?
    var tags: [String: [Int64]]?
    var anything: JSONValue?
    var exact: Bool
}

/// Parsed on each call: the leak sanitizer does not follow pointers in enumerations of a global variable.
private var interface: InterfaceDescription {
    do {
        return try InterfaceDescription(
            parsing: """
                interface org.example.fuzz
                type Place (latitude: float, longitude: float)
                method Find(
                    place: ?Place, accuracy: ?(full, reduced), tags: ?[string][]int, anything: any, exact: bool
                ) -> ()
                """)
    } catch { fatalError("\(error)") }
}
