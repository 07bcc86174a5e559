import LocationModel
import Publishing
import Testing

/// Home Assistant's discovery and attributes.
@Suite struct HomeAssistantFormatTests {
    private let format = FormatName.homeassistant.format(topic: "locationd/van", device: "van")

    @Test func theTrackerIsAnnounced() throws {
        let announcement = try #require(format.announcements.first)
        #expect(format.announcements.count == 1)
        #expect(announcement.topic == "homeassistant/device_tracker/van/config")
        #expect(announcement.isRetained)
        #expect(
            announcement.text == """
                {"name":null,"unique_id":"locationd_van","source_type":"gps",\
                "json_attributes_topic":"locationd/van/state","availability_topic":"locationd/van/availability",\
                "device":{"identifiers":["locationd_van"],"name":"van"},"origin":{"name":"locationd-publish"}}
                """)
    }

    @Test func theAttributes() throws {
        let entry = Samples.entry(7, Report(location: Samples.whole))
        let state = try #require(format.state(of: entry))
        #expect(state.topic == "locationd/van/state")
        #expect(state.isRetained)
        #expect(
            state.text == """
                {"id":"00112233aabbccdd-7","timestamp":"2023-11-14T22:13:20.250Z","latitude":47.25,"longitude":-8.5,\
                "gps_accuracy":2.6,"altitude":431.4,"vertical_accuracy":4.2,"course":271.6,"speed":10.0}
                """)
        let message = format.message(for: entry)
        #expect(message.topic == "locationd/van")
        #expect(!message.isRetained)
        #expect(message.text == state.text)
    }

    @Test func theLastWill() throws {
        let availability = try #require(format.availability)
        #expect(availability.online.text == "online")
        #expect(availability.offline.text == "offline")
        #expect(availability.online.isRetained && availability.offline.isRetained)
        #expect(availability.online.topic == "locationd/van/availability")
    }
}
