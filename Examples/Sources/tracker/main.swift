// Writes down where the device has been, in steps of 500 m and more, and does not run in between.
//
//     tracker track.csv        one line a step: time, degrees north, degrees east, metres of accuracy
//
// systemd starts it: the daemon writes to the socket of tracker.socket when the device has moved, which starts
// tracker.service, which is this program. It writes the step down, waits ten seconds for more, and ends. Started by hand the
// first time, it asks the user, and tells the daemon which socket to write to. It need not be running again for that: the
// daemon remembers, also when the machine is restarted.
//
// It is also the program one would write for iOS, where the system starts the app for significant changes.
import CoreLocation

final class Tracker: NSObject, CLLocationManagerDelegate {
    private let manager = CLLocationManager()
    private let track: FileHandle
    private var lastStep = Date.distantPast
    private var lastNews = Date()

    init(track: FileHandle) {
        self.track = track
    }

    /// There is something to wait for: the user's answer, or more steps.
    var isBusy: Bool {
        manager.authorizationStatus == .notDetermined || lastNews.timeIntervalSinceNow > -10
    }

    func start() {
        // Steps come in the background, which needs "always". Where it is decided, nobody is asked.
        manager.delegate = self
        manager.requestAlwaysAuthorization()
        // This also tells the daemon of the socket that systemd has passed to this process. It is not stopped at the end,
        // which is what makes the daemon go on.
        manager.startMonitoringSignificantLocationChanges()
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        // What this process was started for may come twice: from the socket, and as the last known location.
        for location in locations where location.timestamp > lastStep {
            let coordinate = location.coordinate
            let line = String(
                format: "%@,%.5f,%.5f,%.0f\n", location.timestamp.ISO8601Format(), coordinate.latitude,
                coordinate.longitude, location.horizontalAccuracy)
            track.write(Data(line.utf8))
            lastStep = location.timestamp
        }
        lastNews = Date()
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        say(CLError.Code(rawValue: (error as NSError).code) == .denied ? "the answer was no" : "\(error)")
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        switch manager.authorizationStatus {
        case .notDetermined: say("asking; `locationctl agent` answers")
        case .authorizedAlways: break
        default: say("`locationctl grant --always` lets it write down steps")
        }
        lastNews = Date()
    }
}

func say(_ text: String) {
    FileHandle.standardError.write(Data("tracker: \(text)\n".utf8))
}

guard CommandLine.arguments.count == 2 else {
    say("usage: tracker FILE")
    exit(2)
}
let path = CommandLine.arguments[1]
if !FileManager.default.fileExists(atPath: path) { _ = FileManager.default.createFile(atPath: path, contents: nil) }
guard let track = FileHandle(forWritingAtPath: path) else {
    say("\(path) cannot be written to")
    exit(1)
}
try track.seekToEnd()

let tracker = Tracker(track: track)
tracker.start()
// The delegate is called while the run loop runs.
while tracker.isBusy { RunLoop.main.run(until: Date() + 1) }
