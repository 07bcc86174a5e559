import AuthorizationPolicy
import LocationModel
import Testing

/// Names in the form of an app's name, but never names of a process.
@Suite struct AppIdentityFormTests {
    @Test(arguments: [
        "exe:/usr//bin/foo", "exe://usr/bin/foo", "exe:/usr/bin/foo/", "exe:/usr/bin/../bin/foo", "exe:/usr/./bin/foo",
        "exe:/usr/bin/foo (deleted)", "exe:/", "service:chrony.service", "app:org.gnome.Maps.desktop", "flatpak:*",
        "flatpak:org.gnome.*", "snap:fire?ox", "service:chrony ", "app: org.gnome.Maps", "service:[ab]",
    ])
    func noProcessIsKnownBy(name: String) throws {
        #expect(try #require(AppIdentity(name)).reasonForNeverMatching != nil)
    }

    @Test(arguments: [
        "exe:/usr/bin/foo", "exe:/opt/My App/run", "exe:/opt/a*b", "exe:/opt/..a/.b", "exe:/foo ", "exe:/(deleted)",
        "service:chrony", "service:user@1000", "service:dbus-:1.2-org.foo", "app:org.gnome.Maps", "snap:firefox_2",
        "flatpak:org.gnome.Maps", "app:desktop",
    ])
    func aProcessMayBeKnownBy(name: String) throws {
        #expect(try #require(AppIdentity(name)).reasonForNeverMatching == nil)
    }
}
