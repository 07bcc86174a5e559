internal import ArgumentParser
internal import AuthorizationPolicy
internal import LocationModel
internal import LocationctlSupport

struct ManifestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manifest", abstract: "Creates app manifests, which state what apps use the location for.",
        subcommands: [FromPropertyList.self])

    struct FromPropertyList: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "from-plist", abstract: "Converts an app's Info.plist into a manifest.",
            discussion: """
                The Info.plist may be XML or binary. The texts in LANGUAGE.lproj/InfoPlist.strings beside it become \
                the manifest's translations. Standard error says how to name the manifest and where to put it.
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
                throw Failure(.failed, lines: error.lines.map { "\(file): \($0)" })
            }
            let text = converted.manifest.toml
            guard text.utf8.count <= AppManifest.maximumFileSize else {
                throw Failure(
                    .failed,
                    "\(file): the manifest would be larger than \(AppManifest.maximumFileSize) bytes, "
                        + "which locationd does not read; shorten the texts")
            }
            if let output { try AtomicFile.write(text, to: output) } else { try Terminal.writeOutput(text) }
            Terminal.writeError(converted.notes.map { $0 + "\n" }.joined() + Self.advice(converted.app))
        }

        /// Returns the advice on how to name the manifest's file and where to put it.
        static func advice(_ app: AppIdentity?) -> String {
            let place = "in /usr/share/locationd/apps (a package's) or /etc/locationd/apps (yours)"
            let name = app.map { "as \(Terminal.printable(ManifestName.file(of: $0))) " } ?? ""
            let other =
                app == nil
                ? "The file name is the app's identity"
                : "If locationd knows the app by another identity, use that instead"
            return """
                Install it \(name)\(place); SIGHUP makes the daemon read it.
                \(other), as locationctl apps shows it: flatpak:ID.toml, app:ID.toml, exe:usr-bin-foo.toml.

                """
        }
    }
}
