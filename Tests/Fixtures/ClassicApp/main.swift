import CoreLocation

// In place of UIApplicationMain.
setvbuf(stdout, nil, _IOLBF, 0)
let beaconManager = CommandLine.arguments.contains("beacons") ? BeaconManager() : nil
if beaconManager != nil { RunLoop.main.run() }
let appDelegate = AppDelegate()
_ = appDelegate.didFinishLaunching(inBackground: CommandLine.arguments.contains("--background"))
RunLoop.main.run()
