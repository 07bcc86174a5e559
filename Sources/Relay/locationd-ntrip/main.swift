internal import LocationNTRIPCommand

LocationNTRIPProgram.main()
