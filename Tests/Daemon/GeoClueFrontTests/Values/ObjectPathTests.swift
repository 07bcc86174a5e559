import Testing

@testable import GeoClueFront

@Suite struct ObjectPathTests {
    @Test(arguments: [
        ("/org/freedesktop/GeoClue2/Manager", ObjectPath.manager),
        ("/org/freedesktop/GeoClue2/Client/1", .client(1)),
        ("/org/freedesktop/GeoClue2/Client/18446744073709551615", .client(.max)),
        ("/org/freedesktop/GeoClue2/Client/7/Location/0", .location(7, 0)),
        (
            "/org/freedesktop/GeoClue2/Client/18446744073709551615/Location/18446744073709551615",
            .location(.max, .max)
        ),
        ("/", .parent(child: "org")), ("/org", .parent(child: "freedesktop")),
        ("/org/freedesktop", .parent(child: "GeoClue2")), ("/org/freedesktop/GeoClue2", .parent(child: "Manager")),
    ])
    func aPathAndItsText(_ text: String, _ path: ObjectPath) {
        #expect(ObjectPath(text) == path)
        #expect(path.text == text)
    }

    @Test(arguments: [
        "", "/org/", "/org/freedesktop/GeoClue2/", "/org/freedesktop/GeoClue2/Manager/", "/org/freedesktop/GeoClue3",
        "/org/freedesktop/GeoClue2/Client", "/org/freedesktop/GeoClue2/Client/", "/org/freedesktop/GeoClue2/Client/01",
        "/org/freedesktop/GeoClue2/Client/+1", "/org/freedesktop/GeoClue2/Client/-1",
        "/org/freedesktop/GeoClue2/Client/1_", "/org/freedesktop/GeoClue2/Client/١",
        "/org/freedesktop/GeoClue2/Client/18446744073709551616", "/org/freedesktop/GeoClue2/Client/1/",
        "/org/freedesktop/GeoClue2/Client/1/Location", "/org/freedesktop/GeoClue2/Client/1/Location/",
        "/org/freedesktop/GeoClue2/Client/1/Location/1/", "/org/freedesktop/GeoClue2/Client/1/Place/1",
        "/org/freedesktop/GeoClue2/Client//Location/1", "/org/freedesktop/GeoClue2/Agent",
        String(repeating: "/a", count: 1_000_000),
    ])
    func anotherPath(_ text: String) {
        #expect(ObjectPath(text) == nil)
    }
}
