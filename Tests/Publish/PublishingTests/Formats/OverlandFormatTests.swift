import JSON
import LocationModel
import Publishing
import Testing

/// The batches of Overland.
@Suite struct OverlandFormatTests {
    private let format = OverlandFormat(device: "van")

    @Test func everything() {
        let message = format.message(for: Samples.entry(42, Report(location: Samples.whole)))
        #expect(message.topic == "" && !message.isRetained)
        #expect(
            message.text == #"{"locations":[{"type":"Feature","id":"00112233aabbccdd-42","#
                + #""geometry":{"type":"Point","coordinates":[-8.5,47.25]},"#
                + #""properties":{"timestamp":"2023-11-14T22:13:20.250Z","horizontal_accuracy":2.6,"altitude":431.4,"#
                + #""vertical_accuracy":4.2,"speed":10.0,"speed_accuracy":0.25,"course":271.6,"course_accuracy":1.5,"#
                + #""device_id":"van"}}]}"#)
    }

    @Test func theLeast() {
        #expect(
            format.message(for: Samples.entry(1)).text == #"{"locations":[{"type":"Feature","id":"00112233aabbccdd-1","#
                + #""geometry":{"type":"Point","coordinates":[-8.5,47.25]},"#
                + #""properties":{"timestamp":"2023-11-14T22:13:20.250Z","device_id":"van"}}]}"#)
    }

    @Test func crossings() {
        let text = format.message(for: Samples.crossing(1)).text
        #expect(text.contains(#""event":"enter","region":"Ümlaut & co"}"#))
    }

    @Test func manyInARequest() throws {
        let entries = (1...100).map { Samples.entry(Int64($0)) }
        #expect(format.maximumBatch == 100)
        let json = try JSONValue(parsing: format.message(for: entries).text)
        guard case .array(let features) = json["locations"] else { throw JSONError.malformed(offset: 0) }
        #expect(features.map { $0["id"]?.string } == entries.map(\.identity.description))
    }

    @Test func nothingElse() {
        #expect(format.availability == nil && format.announcements == [])
        #expect(format.state(of: Samples.entry(1)) == nil)
    }
}
