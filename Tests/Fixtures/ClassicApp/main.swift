import CoreLocation

// In place of UIApplicationMain.
setvbuf(stdout, nil, _IOLBF, 0)
let appDelegate = AppDelegate()
_ = appDelegate.didFinishLaunching(inBackground: CommandLine.arguments.contains("--background"))
RunLoop.main.run()
