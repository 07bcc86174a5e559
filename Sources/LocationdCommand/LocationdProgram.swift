internal import ServiceSupport

/// The program `locationd`.
public enum LocationdProgram {
    /// Runs the daemon with the process's arguments until SIGTERM, and exits with the daemon's exit status.
    public static func main() { ServiceProgram.run(Locationd.self) }
}
