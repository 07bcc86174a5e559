import CoreLocation

// A program whose code belongs to the main actor unless it says otherwise, as new apps have it. No type below says it.

@main struct MainActorApp {
    static func main() async throws {
        let model = Model()
        await model.run()
        for try await update in CLLocationUpdate.liveUpdates() where update.location != nil {
            model.say("live update")
            break
        }
        let monitor = await CLMonitor("places")
        model.say("monitor \(await monitor.identifiers)")
        model.say("done")
    }
}

final class Model: NSObject, CLLocationManagerDelegate {
    private let manager = CLLocationManager()
    private var count = 0
    private var continuation: CheckedContinuation<Void, Never>?

    func run() async {
        await withCheckedContinuation {
            continuation = $0
            manager.delegate = self
            manager.startUpdatingLocation()
        }
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        say("status \(manager.authorizationStatus.rawValue)")
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        say("location")
        count += 1
        guard count == 3 else { return }
        manager.stopUpdatingLocation()
        continuation?.resume()
    }

    /// Prints and flushes: output to anything but a terminal would stay in the buffer.
    func say(_ text: String) {
        print(text)
        fflush(nil)
    }
}
