internal import LocationdCommand

LocationdProgram.main()
