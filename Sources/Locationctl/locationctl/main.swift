internal import LocationctlCommands

LocationctlProgram.prepare()
await LocationctlProgram.main()
