internal import LocationctlCommands

await LocationctlProgram.main()
