internal import LocationNMEACommand

LocationNMEAProgram.main()
