internal import ArgumentParser

/// The program `locationd`.
public enum LocationdProgram {
    /// Runs the daemon as the process's arguments say, until SIGTERM, and ends with its exit status.
    public static func main() { Locationd.main() }
}
