import AuthorizationPolicy
import LocationModel
import Testing

@Suite struct ManifestNameTests {
    /// The file names of executables, escaped as `systemd-escape --path` does it.
    @Test(arguments: [
        ("flatpak:org.gnome.Maps", "flatpak:org.gnome.Maps.toml"),
        ("app:org.kde.marble", "app:org.kde.marble.toml"),
        ("service:getty@tty1", "service:getty@tty1.toml"),
        ("snap:firefox", "snap:firefox.toml"),
        ("service:my-app", "service:my-app.toml"),
        ("exe:/usr/bin/foo", "exe:usr-bin-foo.toml"),
        ("exe:/opt/my-app/run.sh", "exe:opt-my\\x2dapp-run.sh.toml"),
        ("exe:/.hidden/x", "exe:\\x2ehidden-x.toml"),
        ("exe:/opt/a b/\u{e9}", "exe:opt-a\\x20b-\\xc3\\xa9.toml"),
        ("exe:/opt/a:b_c\\d", "exe:opt-a:b_c\\x5cd.toml"),
    ])
    func appsAndFiles(app: String, file: String) throws {
        let app = try #require(AppIdentity(app))
        #expect(ManifestName.file(of: app) == file)
        #expect(try ManifestName.app(ofFile: file) == app)
    }

    @Test(arguments: [
        "maps.toml", ".toml", "exe:.toml", "exe:foo\\x2.toml", "exe:a\\y20.toml", "exe:a\\xff.toml", "exe:a\\x0ab.toml",
        "colour:red.toml", "app:.toml", "app:a", "exe:usr--bin.toml",
    ])
    func namesOfNoApp(file: String) {
        #expect(throws: ManifestName.Problem.noApp) { try ManifestName.app(ofFile: file) }
    }

    /// Each app has exactly one file name.
    @Test(arguments: [
        ("exe:usr-bin-\\x66oo.toml", "exe:usr-bin-foo.toml"), ("exe:usr-bin-\\x66o\\x6f.toml", "exe:usr-bin-foo.toml"),
        ("exe:opt-a\\xC3\\xA9.toml", "exe:opt-a\\xc3\\xa9.toml"), ("exe:usr\\x2fbin.toml", "exe:usr-bin.toml"),
        ("exe:opt-+1.toml", "exe:opt-\\x2b1.toml"),
    ])
    func otherSpellings(file: String, expected: String) {
        #expect(throws: ManifestName.Problem.notCanonical(expected)) { try ManifestName.app(ofFile: file) }
    }
}
