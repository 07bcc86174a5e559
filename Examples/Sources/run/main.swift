// Records a run, and writes it as GPX at the end.
//
//     run morning.gpx         while it runs, type: p pause, p again go on, s stop
//
// The recording so far is in morning.gpx.part. If the program or the machine stops in the middle, the same command
// continues from there. The same source runs on a Mac.
import CoreLocation

final class Run: NSObject, CLLocationManagerDelegate {
    private let manager = CLLocationManager()
    private let file: URL
    private let part: URL
    private let journal: FileHandle
    private var points: [Point] = []
    private var segment = 0
    private var isPaused = false
    private var metres = 0.0

    /// Begins a run, or continues an interrupted one.
    init(_ path: String) throws {
        file = URL(filePath: path)
        part = URL(filePath: path + ".part")
        let earlier = (try? String(contentsOf: part, encoding: .utf8)) ?? ""
        // The last line may be incomplete.
        let whole = earlier.lastIndex(of: "\n").map { earlier[...$0] } ?? ""
        try Data(whole.utf8).write(to: part)
        journal = try FileHandle(forWritingTo: part)
        try journal.seekToEnd()
        super.init()
        for point in whole.split(separator: "\n").compactMap({ Point($0) }) { append(point) }
        if let last = points.last {
            segment = last.segment + 1
            say(String(format: "going on after %.0f m", metres))
        }
    }

    func start() {
        manager.activityType = .fitness
        manager.desiredAccuracy = kCLLocationAccuracyBest
        // Waiting at a traffic light is part of the run.
        manager.pausesLocationUpdatesAutomatically = false
        manager.allowsBackgroundLocationUpdates = true
        manager.delegate = self
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        switch manager.authorizationStatus {
        case .notDetermined:
            say("waiting for your answer")
            manager.requestWhenInUseAuthorization()
        case .authorizedWhenInUse, .authorizedAlways:
            if !isPaused { manager.startUpdatingLocation() }
        case .denied, .restricted:
            say("not allowed; what was recorded is in \(part.path)")
            exit(4)
        @unknown default:
            break
        }
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        for location in locations where !isPaused {
            // An inaccurate location would draw a line away from the run; an older location is known already.
            guard (0...30).contains(location.horizontalAccuracy), location.timestamp > points.last?.time ?? .distantPast
            else { continue }
            let point = Point(location, segment: segment)
            journal.write(Data(point.line.utf8))
            append(point)
            say(String(format: "%.0f m", metres))
        }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        if CLError.Code(rawValue: (error as NSError).code) == .locationUnknown { say("no location at the moment") }
    }

    private func append(_ point: Point) {
        if let last = points.last, last.segment == point.segment {
            metres += CLLocation(latitude: last.latitude, longitude: last.longitude)
                .distance(from: CLLocation(latitude: point.latitude, longitude: point.longitude))
        }
        points.append(point)
    }

    func pauseOrGoOn() {
        isPaused.toggle()
        if isPaused {
            manager.stopUpdatingLocation()
            segment += 1
        } else {
            manager.startUpdatingLocation()
        }
        say(isPaused ? "paused" : "going on")
    }

    /// Writes the run as GPX 1.1, a track segment for each part between two pauses, and ends the program.
    func stop() throws {
        manager.stopUpdatingLocation()
        try Data(gpx(of: points).utf8).write(to: file, options: .atomic)
        try FileManager.default.removeItem(at: part)
        say(String(format: "%.0f m in %@", metres, file.path))
        exit(0)
    }
}

func say(_ text: String) {
    // Not print and fflush(nil), which waits for the thread that reads from the terminal.
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

guard CommandLine.arguments.count == 2 else {
    say("usage: run FILE.gpx")
    exit(2)
}
let run: Run
do { run = try Run(CommandLine.arguments[1]) } catch {
    say("\(CommandLine.arguments[1]).part cannot be written: \(error.localizedDescription)")
    exit(1)
}
run.start()
// Lines are read on a thread of their own, and executed on the delegate's thread.
Thread.detachNewThread {
    while let line = readLine() {
        DispatchQueue.main.async {
            switch line {
            case "p": run.pauseOrGoOn()
            case "s":
                do { try run.stop() } catch { say("\(error.localizedDescription)") }
            default: say("p pauses or goes on, s stops")
            }
        }
    }
}
RunLoop.main.run()
