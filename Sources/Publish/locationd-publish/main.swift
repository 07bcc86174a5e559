internal import LocationPublishCommand

LocationPublishProgram.main()
