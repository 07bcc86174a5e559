// Records where the device has been, in steps of 500 m and more, and does not run in between.
//
//     tracker track.csv        one line per step: time, degrees north, degrees east, metres of accuracy
//
// systemd starts the program: when the device has moved, the daemon writes to the socket of tracker.socket, and that
// starts tracker.service, which runs the program. It records the step, waits ten seconds for more, and ends. When
// started by hand for the first time, it prompts the user and registers the socket with the daemon. It does not have
// to keep running: the daemon remembers the socket, even after a reboot.
//
// The same program would work on iOS, where the system starts an app for significant changes.
import CoreLocation

final class Tracker: NSObject, CLLocationManagerDelegate {
    private let manager = CLLocationManager()
    private let track: FileHandle
    private var lastStep = Date.distantPast
    private var lastActivity = Date()

    init(track: FileHandle) {
        self.track = track
    }

    /// A Boolean value indicating whether there is something to wait for: the user's answer, or more steps.
    var isBusy: Bool {
        manager.authorizationStatus == .notDetermined || lastActivity.timeIntervalSinceNow > -10
    }

    func start() {
        // Steps arrive in the background, which requires "always". This prompts only if the user has not decided.
        manager.delegate = self
        manager.requestAlwaysAuthorization()
        // This also registers the socket that systemd passed to this process. It is not stopped at the end, so that
        // the daemon continues.
        manager.startMonitoringSignificantLocationChanges()
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        // The event that started this process may arrive twice: from the socket, and as the last known location.
        for location in locations where location.timestamp > lastStep {
            let coordinate = location.coordinate
            let line = String(
                format: "%@,%.5f,%.5f,%.0f\n", location.timestamp.ISO8601Format(), coordinate.latitude,
                coordinate.longitude, location.horizontalAccuracy)
            track.write(Data(line.utf8))
            lastStep = location.timestamp
        }
        lastActivity = Date()
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        say(CLError.Code(rawValue: (error as NSError).code) == .denied ? "the user denied the location" : "\(error)")
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        switch manager.authorizationStatus {
        case .notDetermined: say("waiting for your answer: run `locationctl agent`")
        case .authorizedAlways: break
        default: say("needs the location in the background: run `locationctl grant --always`")
        }
        lastActivity = Date()
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
