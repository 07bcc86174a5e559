import Foundation
import TestSupport
import Testing

@testable import DesktopAgent

/// The name and the icon of an app, from its desktop entry.
@Suite struct DesktopEntryTests {
    private let maps = """
        # A comment
        [Desktop Entry]
        Name=Maps
        Name[de]=Karten
        Name[de_AT] = Landkarten
        Icon=org.gnome.Maps
        [Desktop Action new]
        Name=New window
        Icon=window
        """

    @Test(
        arguments: [
            ([], "Maps"), (["fr"], "Maps"), (["de"], "Karten"), (["de-AT", "de"], "Landkarten"), (["de-CH"], "Karten"),
            (["fr", "de"], "Karten"),
        ] as [([String], String)])
    func theNameInTheUsersLanguage(languages: [String], name: String) {
        let entry = DesktopEntry(maps, languages: languages)
        #expect(entry.name == name && entry.icon == "org.gnome.Maps")
    }

    @Test func whatIsNoEntryHasNoName() {
        for text in ["", "Name=Maps", "[Desktop Entry", "[Desktop Entry]\nName", "[Desktop Entry]\nName=\nIcon=a/b"] {
            let entry = DesktopEntry(text, languages: [])
            #expect(entry.name == nil && entry.icon == nil, "\(text)")
        }
    }

    private func folder(_ files: [String: String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let applications = folder.path + "/applications"
        try FileManager.default.createDirectory(atPath: applications, withIntermediateDirectories: false)
        for (name, text) in files { try Data(text.utf8).write(to: URL(filePath: "\(applications)/\(name)")) }
        return folder
    }

    @Test(arguments: ["app:org.gnome.Maps", "flatpak:org.gnome.Maps", "snap:maps"])
    func eachKindOfApp(app: String) throws {
        let folder = try folder(["org.gnome.Maps.desktop": maps, "maps_maps.desktop": maps])
        #expect(DesktopEntry(of: app, in: .init(system: ["/nonexistent", folder.path]), languages: [])?.name == "Maps")
    }

    /// Attack: an app's identity leads to a file elsewhere.
    @Test(arguments: ["exe:/usr/bin/maps", "service:maps", "app:../x", "app:", "app:.x", "maps", "app:x/../y"])
    func othersHaveNone(app: String) throws {
        let folder = try folder(["x.desktop": maps, "y.desktop": maps, ".desktop": maps])
        #expect(DesktopEntry(of: app, in: .init(system: [folder.path]), languages: []) == nil)
    }

    /// Attack: the user's own folder, where every program writes, has an entry under the name of an installed app.
    @Test func theFirstFolderCounts() throws {
        let (system, own) = (try folder(["a.desktop": maps]), try folder(["a.desktop": "[Desktop Entry]\nName=Bank"]))
        #expect(
            DesktopEntry(of: "app:a", in: .init(system: [system.path], own: [own.path]), languages: [])?.name == "Maps")
    }

    /// An executable is shown by the name of the entry that starts it, over links and over `env`.
    @Test(arguments: ["PATH", "LINK %U", "\"PATH\" --new", "env A=b PATH", "/usr/bin/env LINK"])
    func anExecutable(command: String) throws {
        let program = try TemporaryFolder()
        let (path, link) = (program.path + "/maps", program.path + "/link")
        try Data().write(to: URL(filePath: path))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let line = command.replacing("PATH", with: path).replacing("LINK", with: link)
        let folder = try folder(["a.desktop": "[Desktop Entry]\nName=Other", "b.desktop": "\(maps)\nExec=x"])
        let entry = "[Desktop Entry]\nName=Found\nExec=\(line)"
        try Data(entry.utf8).write(to: URL(filePath: folder.path + "/applications/c.desktop"))
        let resolved = URL(filePath: path).resolvingSymlinksInPath().path
        var folders = DesktopEntry.Folders(system: [folder.path], systemOwner: getuid())
        #expect(DesktopEntry(of: "exe:\(resolved)", in: folders, languages: [])?.name == "Found")
        #expect(DesktopEntry(of: "exe:\(resolved)x", in: folders, languages: []) == nil)
        // Attack: the user writes into a folder that the environment declares to be a system folder.
        folders.systemOwner = getuid() + 1
        #expect(DesktopEntry(of: "exe:\(resolved)", in: folders, languages: []) == nil)
        // Attack: a user's program writes an entry that gives it the name of the bank's program.
        #expect(
            DesktopEntry(of: "exe:\(resolved)", in: .init(system: [], own: [folder.path]), languages: []) == nil)
    }

    /// Attack: every program of an interpreter is shown under the name of the program that an entry starts.
    @Test(arguments: [
        "sh /usr/share/maps/maps.sh", "sh -c maps", "\"/bin/sh\" -c maps", "env A=b sh maps", "sh maps %U",
    ])
    func anInterpreterHasNoName(command: String) throws {
        let entry = DesktopEntry("[Desktop Entry]\nName=Maps\nExec=\(command)", languages: [])
        #expect(entry.name == "Maps" && entry.program == nil)
    }
}
