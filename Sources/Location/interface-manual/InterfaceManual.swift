internal import ArgumentParser
internal import Varlink

/// The command that prints the manual page of a Varlink interface.
@main
struct InterfaceManual: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "interface-manual",
        abstract: "Prints the manual page, in mdoc(7), of a Varlink interface; its comments are the text.")

    @Option(help: "The page's date, as mdoc(7) writes it: November 21, 2026.")
    var date: String

    @Argument(help: "The definition of the interface.")
    var file: String

    func run() throws {
        do {
            let page = ManualPage(of: try InterfaceDescription(parsing: try TextFile.read(file)), date: date)
            print(page.text, terminator: "")
        } catch let error as InterfaceSyntaxError {
            throw ValidationError("\(file): \(error)")
        }
    }
}
