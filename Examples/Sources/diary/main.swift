// A diary of places: shows where you are, and writes a line at every 500 m.
//
//     diary FILE               in a terminal; then type: a always, e exact, p pause or go on, q quit
//     diary --woken FILE       in diary.service, which systemd starts when the device has moved
//
// The app goes through everything that a user can decide about it. Its folder has all that belongs to it: the source,
// which would work in an app for iOS too, its units for systemd, and its manifest with the texts of the prompts.
import CoreLocation

func say(_ text: String) {
    // Not print and fflush(nil), which waits for the thread that reads from the terminal.
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

var arguments = CommandLine.arguments.dropFirst()
let isWoken = arguments.first == "--woken"
if isWoken { arguments = arguments.dropFirst() }
guard arguments.count == 1, let file = arguments.first else {
    say("usage: diary [--woken] FILE")
    exit(2)
}
let pages: Pages
do { pages = try Pages(file) } catch {
    say("\(file) cannot be written: \(error.localizedDescription)")
    exit(1)
}

let diary = Diary(pages, isWoken: isWoken)
diary.open()
if isWoken {
    // Ten seconds after the last event there is nothing more to write. The daemon starts the service for the next one.
    while diary.isBusy { RunLoop.main.run(until: Date() + 1) }
} else {
    // Lines are read on a thread of their own, and carried out on the delegate's thread.
    Thread.detachNewThread {
        while let line = readLine() {
            DispatchQueue.main.async { diary.type(line) }
        }
    }
    RunLoop.main.run()
}
