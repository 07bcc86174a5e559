internal import ArgumentParser
internal import AuthorizationPolicy
internal import LocationModel

struct ManifestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manifest", abstract: "Makes manifests: what apps want the location for.",
        subcommands: [FromPropertyList.self])

    struct FromPropertyList: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "from-plist", abstract: "Prints the manifest that an app's Info.plist means.",
            discussion: """
                The Info.plist is XML or binary. The texts of LANGUAGE.lproj/InfoPlist.strings beside it become the \
                manifest's languages. What to call the manifest, and where to put it, is told on standard error.
                """)

        @Argument(help: ArgumentHelp("The property list; - for standard input.", valueName: "Info.plist"))
        var file: String
        @Option(help: ArgumentHelp("Where to write the manifest, instead of standard output.", valueName: "file"))
        var output: String?

        func run() throws {
            let list = try PropertyListFile.read(InfoPropertyList.self, path: file)
            let languages = file == "-" ? [:] : try InfoStrings.beside(file)
            let converted: ConvertedManifest
            do {
                converted = try ConvertedManifest(list, languages: languages)
            } catch {
                let lines = error.lines.map { "\(file): " + Terminal.printable($0) }
                throw Failure(.failed, lines.joined(separator: "\nlocationctl: "))
            }
            let text = converted.manifest.toml
            guard text.utf8.count <= AppManifest.maximumFileSize else {
                throw Failure(.failed, "\(file): makes a manifest of more than \(AppManifest.maximumFileSize) bytes")
            }
            if let output { try AtomicFile.write(text, to: output) } else { try Terminal.writeOutput(text) }
            Terminal.writeError(converted.notes.map { $0 + "\n" }.joined() + Self.advice(converted.app))
        }

        /// Returns the advice on how to name the manifest's file and where to put it.
        static func advice(_ app: AppIdentity?) -> String {
            let place = "in /usr/share/locationd/apps (a package's) or /etc/locationd/apps (yours)"
            let name = app.map { "as \(Terminal.printable(ManifestName.file(of: $0))) " } ?? ""
            let other =
                app == nil ? "It is called after the app" : "If the app has another name here, it is called after that"
            return """
                Install it \(name)\(place); SIGHUP makes the daemon read it.
                \(other), as locationctl apps shows it: flatpak:ID.toml, app:ID.toml, exe:usr-bin-foo.toml.

                """
        }
    }
}
