import CoreLocation

/// Prints the thread on which each callback arrives.
final class Delegate: NSObject, CLLocationManagerDelegate {
    private let thread: Thread
    private var count = 0
    var isDone: Bool { count >= 3 }

    init(thread: Thread) {
        self.thread = thread
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        print("status \(manager.authorizationStatus.rawValue) \(place)")
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        print("location \(place)")
        count += locations.count
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        print("failure \((error as NSError).code) \(place)")
    }

    private var place: String {
        Thread.current == thread ? "on the manager's thread" : Thread.isMainThread ? "on main" : "elsewhere"
    }
}

func makeManager() -> (CLLocationManager, Delegate) {
    let delegate = Delegate(thread: .current)
    let manager = CLLocationManager()
    manager.delegate = delegate
    manager.startUpdatingLocation()
    return (manager, delegate)
}

setvbuf(stdout, nil, _IOLBF, 0)
switch CommandLine.arguments.dropFirst().first {
case "main-run-loop":
    let (manager, delegate) = makeManager()
    while !delegate.isDone { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    manager.stopUpdatingLocation()
    print("done")
case "dispatch-main":
    // `dispatchMain` turns this thread into a Dispatch worker. After that it no longer counts as the main thread.
    let held = makeManager()
    withExtendedLifetime(held) { dispatchMain() }
case "thread":
    let thread = Thread {
        let (manager, delegate) = makeManager()
        while !delegate.isDone, RunLoop.current.run(mode: .default, before: .distantFuture) {}
        manager.stopUpdatingLocation()
        print(delegate.isDone ? "done" : "error: the run loop had nothing to do")
        exit(0)
    }
    thread.start()
    while true { sleep(1000) }
case "latency":
    let stopwatch = Stopwatch(count: CommandLine.arguments.last.flatMap { Int($0) } ?? 1000)
    let manager = CLLocationManager()
    manager.delegate = stopwatch
    manager.startUpdatingLocation()
    while !stopwatch.isDone { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    stopwatch.report()
case "nothing":
    break
default:
    print("usage: main-run-loop | dispatch-main | thread | latency | nothing")
}
