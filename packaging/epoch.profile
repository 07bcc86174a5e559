# IR level Instrumentation Flag
:ir
$s11Positioning12JumpDetectorV02isB02to5dated2atSbAA8MovementO5PlaceV_13LocationModel9TimestampVSdtF
# Func Hash:
502407523150325329
# Num Counters:
13
# Counter Values:
0
500
500
0
500
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s11Positioning12ReceiverPlanO21__derived_enum_equalsySbAC_ACtFZ
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s11Positioning12ReceiverPlanO21__derived_enum_equalsySbAC_ACtFZTf4nnd_n
# Func Hash:
1127386591464510927
# Num Counters:
13
# Counter Values:
0
0
0
0
500
0
0
0
0
500
0
0
0
# Num Bitmap Bytes:
$0
$s11Positioning14ReceiverChoiceV6record33_50CC1A99BA06FE6868D5F3B6112E9E02LL_2of2atSiSd_SiSdtF
# Func Hash:
822027458439359575
# Num Counters:
16
# Counter Values:
0
0
500
0
500
0
0
500
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s11Positioning14ReceiverChoiceV7accepts_2of2atSb13LocationModel0G0V_SiSdtF
# Func Hash:
804816983884222256
# Num Counters:
14
# Counter Values:
0
0
500
0
500
0
0
500
500
500
0
0
0
0
# Num Bitmap Bytes:
$0
$s11Positioning16IntegrityMonitorV5index33_97D03CC5ACBBECE9B2BEA735562F480DLL2ofS2i_tF
# Func Hash:
391331302623740265
# Num Counters:
6
# Counter Values:
500
500
0
0
0
0
# Num Bitmap Bytes:
$0
$s11Positioning16IntegrityMonitorV5judge_2of7warning11isRecording2at0G9TimeWrong13LocationModel9FixDoubtsVSgAJ0L0V_SiAMSbSdSbyXEtF
# Func Hash:
745013359824885902
# Num Counters:
28
# Counter Values:
0
0
0
0
500
0
0
0
0
0
500
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
1
AccessHistory.swift.o;$s12LocationCore15ReceiverControlC8receiver_5judge2at0A5Model9FixDoubtsVSg9Receivers0C0C_AK0I0C7NIOCore11NIODeadlineVtFSbyXEfU_TA:550
$s11Positioning16IntegrityMonitorV6Record33_97D03CC5ACBBECE9B2BEA735562F480DLLV7reasons2at13LocationModel9FixDoubtsVSgSd_tF
# Func Hash:
894595281870090765
# Num Counters:
16
# Counter Values:
0
0
0
0
0
500
0
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s11Positioning17ReceiverSelectionV12isOnlyForNow33_672DCC82C158C7E881180AC16ACF21DCLLySb13LocationModel0O0VF
# Func Hash:
414921809648849840
# Num Counters:
9
# Counter Values:
0
0
0
500
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s11Positioning17ReceiverSelectionV6admits_2of2atSb13LocationModel0G0V_SiSdtF
# Func Hash:
536873290763120458
# Num Counters:
4
# Counter Values:
500
500
500
500
# Num Bitmap Bytes:
$0
$s11Positioning17SubscriptionRulesV8consider_2ofAC7VerdictOAA13TimedPositionV_13LocationModel0I0VyXEtF
# Func Hash:
67024886581834432
# Num Counters:
11
# Counter Values:
0
0
500
500
0
500
0
0
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
1
AccessHistory.swift.o;$s12LocationCore12SubscriptionC7deliver33_7EA8C98FF068F1EF6AE60ECF233FF61ELL_8counting11Positioning0C5RulesV7VerdictOAA8ReleasedVyAA11PublicationCG_AA10DeliveriesVztFAkOXEfU_0A5Model0A0VyXEfU_TA:550
$s11Positioning18StationaryDetectorV06detectB033_A69CA9C6B86CE78B7F1D75E650C9D827LLyAC6ChangeOSg13LocationModel0Q0V_SdtF
# Func Hash:
414295173058732807
# Num Counters:
25
# Counter Values:
0
0
0
0
0
0
500
500
500
500
0
500
0
0
0
0
0
0
0
0
0
0
0
0
500
# Num Bitmap Bytes:
$0
$s11Positioning18StationaryDetectorV7observe_14distanceFilterAC6ChangeOSg13LocationModel0H0V_SdSgtF
# Func Hash:
247671767067324140
# Num Counters:
13
# Counter Values:
500
0
0
500
0
500
0
0
0
0
500
0
0
# Num Bitmap Bytes:
$0
$s11Positioning18StationaryDetectorVSgWOg
# Func Hash:
784007056844089447
# Num Counters:
2
# Counter Values:
4500
0
# Num Bitmap Bytes:
$0
$s11Positioning18SubscriptionFilterV8consideryAA0B5RulesV7VerdictOAA13TimedPositionVF
# Func Hash:
734311859554787625
# Num Counters:
19
# Counter Values:
0
0
0
500
500
500
0
0
0
0
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s11Positioning9DutyCycleV5admit8accuracy2atSbSdSg_SdtF
# Func Hash:
163404894717472190
# Num Counters:
36
# Counter Values:
0
0
0
0
0
0
0
0
0
0
500
500
0
500
500
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s11Positioning9LateFixesV02isB0_2at5clockSb13LocationModel9TimestampV_SdAItF
# Func Hash:
159676625495868860
# Num Counters:
10
# Counter Values:
0
418
500
418
82
418
0
0
418
0
# Num Bitmap Bytes:
$0
$s12LocationCore10DeliveriesVWOh
# Func Hash:
170957022131388415
# Num Counters:
1
# Counter Values:
1500
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
1
$s12LocationCore10DeliveriesVwxx:1650
$s12LocationCore10DeliveriesVwxx
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s12LocationCore11PublicationCMa
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s12LocationCore11PublicationCfD
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s12LocationCore12ConnectedAppC11entitlement7through19AuthorizationPolicy11EntitlementVAA4GateV_tF
# Func Hash:
62306916845000788
# Num Counters:
5
# Counter Values:
0
500
500
0
0
# Num Bitmap Bytes:
$0
$s12LocationCore12ConnectedAppC7deliver_7through9countedInAC7OutcomeVAA11PublicationC_AA4GateVAA13AccessHistoryCtF
# Func Hash:
1139227955034807936
# Num Counters:
68
# Counter Values:
0
0
0
0
0
0
0
0
0
500
0
0
0
0
500
0
0
0
0
500
0
0
500
0
0
0
0
0
0
0
0
0
0
500
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
10
0
1
$s12VarlinkFront13SubscribeCallC12LocationCore0E10SubscriberAadEP7receive_6isLastyAD7CountedVyAD11PublicationCG_SbtFTW:550
0
0
0
0
0
0
0
0
$s12LocationCore12SubscriptionC7deliver33_7EA8C98FF068F1EF6AE60ECF233FF61ELL_8counting11Positioning0C5RulesV7VerdictOAA8ReleasedVyAA11PublicationCG_AA10DeliveriesVztFAkOXEfU_0A5Model0A0VyXEfU_
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s12LocationCore13AccessHistoryC3add33_91E9ABD13897328723680A492CBE8F04LL_2to_12inBackgroundySi_AA21UncollectedDeliveriesC0A5Model21AccuracyAuthorizationOSbtF
# Func Hash:
270149182998241378
# Num Counters:
21
# Counter Values:
0
0
0
500
500
0
0
0
500
0
0
0
0
0
0
0
0
0
0
500
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
2
1
$s15LocationService6DaemonC4make_6fronts2on3logAC0A4Core0B8SettingsV_AA05FrontI0V7NIOCore9EventLoop_p7Logging6LoggerVtKFZ0A5Model9TimestampVyYbcfu_:550
0
$s12LocationCore13DemandPlannerC7observeySbAA11PublicationCF
# Func Hash:
287486627991763140
# Num Counters:
6
# Counter Values:
0
500
0
0
0
0
# Num Bitmap Bytes:
$0
$s12LocationCore15ReceiverControlC6admits33_3C6C9E08D6C93EE71288FB8C202B7E33LL_2of2atSb9Receivers3FixC_AC6MemberC7NIOCore11NIODeadlineVtF
# Func Hash:
238984481941143025
# Num Counters:
3
# Counter Values:
500
0
0
# Num Bitmap Bytes:
$0
$s12LocationCore15ReceiverControlC6record33_7187753317D45EB6F88E02DCB4D14675LL_2ofy0A5Model9FixDoubtsVSg_AC6MemberCtF
# Func Hash:
249422129089549965
# Num Counters:
13
# Counter Values:
0
0
0
0
0
500
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
2
0
0
$s12LocationCore15ReceiverControlC8receiver_5judge2at0A5Model9FixDoubtsVSg9Receivers0C0C_AK0I0C7NIOCore11NIODeadlineVtF
# Func Hash:
484499719357800098
# Num Counters:
7
# Counter Values:
0
500
500
500
0
0
0
# Num Bitmap Bytes:
$0
$s12LocationCore15ReceiverControlC8receiver_5judge2at0A5Model9FixDoubtsVSg9Receivers0C0C_AK0I0C7NIOCore11NIODeadlineVtFSbyXEfU_
# Func Hash:
146393203532429269
# Num Counters:
4
# Counter Values:
500
500
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
2
1
$s15LocationService6DaemonC4make_6fronts2on3logAC0A4Core0B8SettingsV_AA05FrontI0V7NIOCore9EventLoop_p7Logging6LoggerVtKFZ0A5Model9TimestampVyYbcfu_:550
0
$s12LocationCore15ReceiverControlC8receiver_9didReporty9Receivers0C0C_AF0C6UpdateCtF
# Func Hash:
424800903901183357
# Num Counters:
23
# Counter Values:
0
0
0
0
500
500
0
0
0
0
500
0
500
0
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
2
0
0
$s12LocationCore15ReceiverControlC8receiver_9didReporty9Receivers0C0C_AF0C6UpdateCtF6$deferL_yyF
# Func Hash:
1124680651882813910
# Num Counters:
3
# Counter Values:
0
500
0
# Num Bitmap Bytes:
$0
$s12LocationCore15ReceiverControlC9Receivers0C8DelegateAadEP8receiver_5judge2at0A5Model9FixDoubtsVSgAD0C0C_AD0K0C7NIOCore11NIODeadlineVtFTW
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s12LocationCore15ReceiverControlC9Receivers0C8DelegateAadEP8receiver_9didReportyAD0C0C_AD0C6UpdateCtFTW
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s12LocationCore16RememberedPlacesC4keep_10receivedAty0A5Model0A0V_7NIOCore11NIODeadlineVtF
# Func Hash:
72790611623358762
# Num Counters:
13
# Counter Values:
0
0
500
0
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
0
$s12LocationCore17ReductionScheduleC6isLate33_7D8A95FFB188CF2F63FA9543FDBBFAE4LL_10receivedAtSbAA11PublicationC_7NIOCore11NIODeadlineVtF
# Func Hash:
264495435802970425
# Num Counters:
4
# Counter Values:
500
500
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
1
$s15LocationService6DaemonC4make_6fronts2on3logAC0A4Core0B8SettingsV_AA05FrontI0V7NIOCore9EventLoop_p7Logging6LoggerVtKFZ0A5Model9TimestampVyYbcfu_:550
$s12LocationCore17ReductionScheduleC7observe_10receivedAtyAA11PublicationC_7NIOCore11NIODeadlineVtF
# Func Hash:
52166956650241278
# Num Counters:
7
# Counter Values:
500
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
2
0
0
$s12LocationCore4GateV5check33_309A75F2772ADF702F5151FB87A733B4LL_3fory0A5Model13AuthorizationV_AA4NeedVtAG0A7FailureOYKFTf4nnd_nTf4xn_n
# Func Hash:
753202732548839783
# Num Counters:
7
# Counter Values:
0
0
500
500
0
0
0
# Num Bitmap Bytes:
$0
$s12LocationCore4GateV7release_5under6wanted7needing8presence5termsAA8ReleasedVyAA11PublicationCGSgAM_19AuthorizationPolicy11EntitlementV0A5Model08AccuracyL0OAA4NeedVAP8PresenceOAP13DeliveryTermsVtAS0A7FailureOYKF
# Func Hash:
696175068279984702
# Num Counters:
11
# Counter Values:
0
0
0
500
0
500
500
0
500
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
0
$s12LocationCore5PeersC32closeConnectionsOfEndedProcessesyyF
# Func Hash:
1124680650602959256
# Num Counters:
3
# Counter Values:
0
0
500
# Num Bitmap Bytes:
$0
$s12LocationCore7CountedVA2A11PublicationCRszlE3fix9Receivers3FixCvg
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s12LocationCore8ReleasedVwet
# Func Hash:
882229828939043097
# Num Counters:
16
# Counter Values:
500
0
500
0
0
0
0
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
1
** External Symbol **:550
$s12LocationCore8ReleasedVwxx
# Func Hash:
170957022131388415
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
1
** External Symbol **:550
$s12LocationCore8ReleasedVyAA11PublicationCGSgWOh
# Func Hash:
170957022131388415
# Num Counters:
1
# Counter Values:
3000
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
1
** External Symbol **:3300
$s12LocationCore9IndicatorC3UseC3add33_0D5A023C0B45E7E6E52C82E5C164C021LLySb0A5Model21AccuracyAuthorizationO_SbAH9TimestampVtF
# Func Hash:
1124680651571308851
# Num Counters:
4
# Counter Values:
500
500
500
500
# Num Bitmap Bytes:
$0
$s12LocationCore9IndicatorC3UseC7setLast33_0D5A023C0B45E7E6E52C82E5C164C021LLyy0A5Model9TimestampVF
# Func Hash:
11922953760471287
# Num Counters:
7
# Counter Values:
500
0
500
0
500
0
0
# Num Bitmap Bytes:
$0
$s12LocationCore9PeerWatchC4reapSays6UInt64VGyF
# Func Hash:
238984482871325869
# Num Counters:
3
# Counter Values:
500
0
500
# Num Bitmap Bytes:
$0
$s12LocationCore9PublisherC7publish_10receivedAtyAA11PublicationC_7NIOCore11NIODeadlineVtF
# Func Hash:
1018334413138981322
# Num Counters:
17
# Counter Values:
0
0
500
0
500
0
0
0
0
0
500
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
0
$s12LocationCore9WallClockO3now0A5Model9TimestampVyFZ
# Func Hash:
238984481941143025
# Num Counters:
3
# Counter Values:
1500
0
0
# Num Bitmap Bytes:
$0
$s12VarlinkFront13SubscribeCallC12LocationCore0E10SubscriberAadEP7receive_6isLastyAD7CountedVyAD11PublicationCG_SbtFTW
# Func Hash:
109769661357415060
# Num Counters:
4
# Counter Values:
0
500
0
500
# Num Bitmap Bytes:
$0
$s12VarlinkFront15LocationEncoderC5reply_9continues0A012EncodedReplyVy0C8Protocol9SubscribeOG0C4Core7CountedVyAM11PublicationCG_SbtF
# Func Hash:
156984556809097787
# Num Counters:
12
# Counter Values:
0
500
500
0
0
500
500
0
0
500
0
500
# Num Bitmap Bytes:
$0
$s13LocationModel0A0V19addModelledAltitudeyyF
# Func Hash:
694937220672149207
# Num Counters:
7
# Counter Values:
0
0
500
0
0
0
0
# Num Bitmap Bytes:
$0
$s13LocationModel0A0V9timestamp8latitude9longitude9simulatedAcA9TimestampV_S2dSbtcfC
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s13LocationModel0A0VWOc
# Func Hash:
170957022131388415
# Num Counters:
1
# Counter Values:
49500
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
1
$s13LocationModel0A0Vwcp:54450
$s13LocationModel0A0VWOc
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
1500
# Num Bitmap Bytes:
$0
$s13LocationModel0A0VWOh
# Func Hash:
170957022131388415
# Num Counters:
1
# Counter Values:
78000
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
1
$s13LocationModel0A0Vwxx:85761
$s13LocationModel0A0VWOh
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
2000
# Num Bitmap Bytes:
$0
$s13LocationModel0A0Vwcp
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
1500
# Num Bitmap Bytes:
$0
$s13LocationModel0A0Vwxx
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
2000
# Num Bitmap Bytes:
$0
$s13LocationModel9FixDoubtsV9ReceiversE__24hasSuspiciousCorrectionsACSg4NMEA8SpoofingOSg_AG7JammingVSgSbtcfC
# Func Hash:
141929911761141319
# Num Counters:
12
# Counter Values:
500
500
0
500
0
0
0
500
0
0
0
0
# Num Bitmap Bytes:
$0
$s13LocationModel9TimestampV5civil13daysSince1970s5Int64V4year_AG5monthAG3daytAG_tFZTf4nd_n
# Func Hash:
679210745183700997
# Num Counters:
4
# Counter Values:
500
0
0
500
# Num Bitmap Bytes:
$0
$s13LocationModel9TimestampV7rfc3339s11InlineArrayVy$23_s5UInt8VGvg
# Func Hash:
130005892661009081
# Num Counters:
24
# Counter Values:
1500
1000
1000
1000
1000
1000
1000
1000
1000
500
0
0
0
0
1000
500
1000
500
1000
500
1000
500
1000
500
# Num Bitmap Bytes:
$0
$s15LocationService6DaemonC4make_6fronts2on3logAC0A4Core0B8SettingsV_AA05FrontI0V7NIOCore9EventLoop_p7Logging6LoggerVtKFZ0A5Model9TimestampVyYbcfu_
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
1500
# Num Bitmap Bytes:
$0
$s16EventLoopSupport07PollingB0C3run33_BC5FE9DD9571353392291846BF194AEBLLyyF
# Func Hash:
769663421940578111
# Num Counters:
22
# Counter Values:
0
501
4
0
0
500
4
500
500
500
506
5
4
506
506
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
3
1
$s16EventLoopSupport07PollingB0C5clockAC7NIOCore11NIODeadlineVyYbc_t5Linux15SystemCallErrorVYKcfcfA_AGyYbcfu_:583
3
CorrectionFlow.swift.o;$s9Receivers10SerialPortC4open2ony7NIOCore9EventLoop_p_tFy0gH7Support16DescriptorPollerC6EventsVcfU_TA:550
Backoff.swift.o;$s16EventLoopSupport12StreamSocketC_2inACs5Int32V_AA0D7SocketsVtcfcyAA16DescriptorPollerC6EventsVcfU_TA:15
Backoff.swift.o;$s16EventLoopSupport14StreamListenerC_7backlog2in6admits8onAcceptACs5Int32V_AISgAA0D7SocketsVSbAIcyAIctcfcyAA16DescriptorPollerC6EventsVcfU_TA:8
2
Backoff.swift.o;$sIeg_ytIegr_TRTA.7:19
Backoff.swift.o;$sIeg_ytIegr_TRTA:18
$s16EventLoopSupport07PollingB0C5clockAC7NIOCore11NIODeadlineVyYbc_t5Linux15SystemCallErrorVYKcfcfA_AGyYbcfu_
# Func Hash:
238984481941143025
# Num Counters:
3
# Counter Values:
1513
0
0
# Num Bitmap Bytes:
$0
$s16EventLoopSupport07PollingB0C7NIOCore0aB0AadEP3nowAD11NIODeadlineVvgTW
# Func Hash:
170957022131388415
# Num Counters:
1
# Counter Values:
501
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
1
$s16EventLoopSupport07PollingB0C5clockAC7NIOCore11NIODeadlineVyYbc_t5Linux15SystemCallErrorVYKcfcfA_AGyYbcfu_:625
$s16EventLoopSupport07PollingB0C9runTimers33_BC5FE9DD9571353392291846BF194AEBLLyyF
# Func Hash:
695054479158663915
# Num Counters:
11
# Counter Values:
0
507
1
0
1
0
506
506
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
2
1
$s16EventLoopSupport07PollingB0C5clockAC7NIOCore11NIODeadlineVyYbc_t5Linux15SystemCallErrorVYKcfcfA_AGyYbcfu_:585
2
Backoff.swift.o;$s16EventLoopSupport0B5TimerC3set2at_y7NIOCore11NIODeadlineV_yyctFyycfU_TA:3
Backoff.swift.o;$s16EventLoopSupport07PollingB0C12scheduleTask8deadline_7NIOCore9ScheduledVyxGAF11NIODeadlineV_xyYbKctlFyyYbcfU_yycfU_TA:1
$s16EventLoopSupport0B5TimerC5isSetSbvg
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s16EventLoopSupport12StreamSocketC4sendyAC4SentO7NIOCore10ByteBufferVF
# Func Hash:
331779889376575870
# Num Counters:
9
# Counter Values:
500
500
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s16EventLoopSupport13DeadlineTimerC6cancelyyF
# Func Hash:
784007056844089447
# Num Counters:
2
# Counter Values:
500
0
# Num Bitmap Bytes:
$0
$s16EventLoopSupport16DescriptorPollerC5WatchC4wait3foryAC6EventsV_t5Linux15SystemCallErrorVYKF
# Func Hash:
1096621588494171237
# Num Counters:
5
# Counter Values:
500
0
500
0
0
# Num Bitmap Bytes:
$0
$s16EventLoopSupport16DescriptorPollerC6EventsV8readableAEvau
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s16EventLoopSupport16DescriptorPollerC6EventsVIegy_SgWOe
# Func Hash:
784007056844089447
# Num Counters:
2
# Counter Values:
2000
2000
# Num Bitmap Bytes:
$0
$s16EventLoopSupport16DescriptorPollerC6EventsVIegy_SgWOy
# Func Hash:
784007056844089447
# Num Counters:
2
# Counter Values:
1000
1000
# Num Bitmap Bytes:
$0
$s16EventLoopSupport17DescriptorWatchesC4wait2on_3forys5Int32V_AA0D6PollerC5WatchCAJ6EventsVt5Linux15SystemCallErrorVYKF
# Func Hash:
844982798908651494
# Num Counters:
4
# Counter Values:
500
0
0
0
# Num Bitmap Bytes:
$0
$s16EventLoopSupport7BackoffV5resetyyF
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s16LocationProtocol9SubscribeOAC7Varlink0D6MethodAAWl
# Func Hash:
784007059655560962
# Num Counters:
2
# Counter Values:
5000
0
# Num Bitmap Bytes:
$0
$s19AuthorizationPolicy11EntitlementV8delivery8presence5termsAA8DeliveryOAA8PresenceO_AA0G5TermsVtF
# Func Hash:
591567705999054787
# Num Counters:
7
# Counter Values:
500
500
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s19AuthorizationPolicy11EntitlementVWOc
# Func Hash:
170957022131388415
# Num Counters:
1
# Counter Values:
2000
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
1
$s19AuthorizationPolicy11EntitlementVwcp:2200
$s19AuthorizationPolicy11EntitlementVWOh
# Func Hash:
170957022131388415
# Num Counters:
1
# Counter Values:
1500
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
1
$s19AuthorizationPolicy11EntitlementVwxx:1653
$s19AuthorizationPolicy11EntitlementVwcp
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
1000
# Num Bitmap Bytes:
$0
$s19AuthorizationPolicy11EntitlementVwxx
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s4JSON10JSONOutputV5value5plainys4SpanVys5UInt8VG_tF
# Func Hash:
786516041364612370
# Num Counters:
14
# Counter Values:
1000
1000
1000
0
0
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_MemOPSize:
1
# NumValueSites:
1
2
17:550
9:550
$s4JSON10JSONOutputV5valueyySSF
# Func Hash:
1065123698219336747
# Num Counters:
13
# Counter Values:
500
0
0
0
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_MemOPSize:
1
# NumValueSites:
1
0
$s4JSON10JSONOutputV5valueyySSFSbSRys5UInt8VGXEfU_
# Func Hash:
305671889422774536
# Num Counters:
19
# Counter Values:
0
500
500
500
500
500
500
500
500
500
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_MemOPSize:
1
# NumValueSites:
1
1
1:550
$s4JSON10JSONOutputV5valueyySdF
# Func Hash:
1104024242940095597
# Num Counters:
12
# Counter Values:
0
0
5500
0
5500
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4JSON10JSONOutputV5valueyySiF
# Func Hash:
579636725546840972
# Num Counters:
12
# Counter Values:
0
0
0
500
500
500
500
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4JSON11DecimalTextO5write_2toSiSgSd_Spys5UInt8VGtFZTf4nnd_n
# Func Hash:
29693992286047512
# Num Counters:
25
# Counter Values:
0
4648
3000
3000
0
854
4000
0
5500
5500
0
5500
3500
0
3852
3000
2500
2000
1000
834
1166
834
0
3854
4000
# Num Bitmap Bytes:
$0
$s4NMEA10FixedPointV6addingyA2CF
# Func Hash:
285516315806733503
# Num Counters:
21
# Counter Values:
500
500
0
500
500
500
0
0
0
0
500
500
500
500
0
500
500
500
500
0
0
# Num Bitmap Bytes:
$0
$s4NMEA10OtherClockV3has_2of7pendingSbs5Int32V_AA9EpochPartOAHtF
# Func Hash:
180680616412895209
# Num Counters:
17
# Counter Values:
500
0
500
500
500
0
0
0
0
0
0
500
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA11NMEADecoderV10readHeight33_93CD46658DCDB2EA236DDC421A3337D4LL__10satellites4hdop8altitude10separation3ageyAA8SentenceV_s7RawSpanVS5itF
# Func Hash:
1019524000670418231
# Num Counters:
53
# Counter Values:
2500
5500
3500
3000
4500
500
500
500
500
500
0
0
0
0
0
500
500
0
500
500
0
500
500
0
0
0
500
500
500
500
0
0
0
500
500
0
0
0
0
500
500
500
0
0
0
0
0
0
500
0
0
500
0
# Num Bitmap Bytes:
$0
$s4NMEA11NMEADecoderV12joinPosition_4rank4time__7isValid_2ofAC4JoinOAA9EpochPartO_AA5DraftV4RankOs5Int32VSgSiyXKAA0D0OSbAA10FixQualityOSgAA6TalkerVtF09$s4NMEA11b47V7readGGAyAA7ReadingOAA8SentenceV_s7RawSpanVAA6R11VtFSiyXEfu_AA0Z0Vs7RawSpanVTf1nnncnnnnn_n
# Func Hash:
263292645517113412
# Num Counters:
84
# Counter Values:
0
0
0
0
0
0
500
0
0
500
0
500
0
500
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
500
0
0
0
0
0
0
500
0
500
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA11NMEADecoderV12joinPosition_4rank4time__7isValid_2ofAC4JoinOAA9EpochPartO_AA5DraftV4RankOs5Int32VSgSiyXKAA0D0OSbAA10FixQualityOSgAA6TalkerVtF09$s4NMEA11b47V7readRMCyAA7ReadingOAA8SentenceV_s7RawSpanVAA6R11VtFSiyXEfu_AA0Z0Vs7RawSpanVTf1nnncnnnnn_n
# Func Hash:
263292645517113412
# Num Counters:
84
# Counter Values:
0
0
0
500
0
0
500
0
0
500
0
500
0
500
0
0
0
0
0
0
0
0
0
0
0
500
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
500
0
0
0
0
0
0
0
0
0
500
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA11NMEADecoderV15hasPendingEpochSbvg
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s4NMEA11NMEADecoderV4next2in4upTo2atAA5EventOSgs7RawSpanV_SiSgSiztF
# Func Hash:
114810351876942742
# Num Counters:
54
# Counter Values:
1500
0
0
0
4500
3000
0
0
0
0
0
0
500
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
1000
0
0
0
0
0
0
0
0
0
0
500
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA11NMEADecoderV4readyAA7ReadingOAA8SentenceV_s7RawSpanVtF
# Func Hash:
103279270309118897
# Num Counters:
96
# Counter Values:
2500
500
0
0
0
0
0
1500
0
1500
1500
0
0
0
0
0
0
500
0
0
500
0
0
0
0
0
0
0
500
500
0
500
500
0
500
0
0
500
500
0
0
500
0
0
0
0
0
0
0
0
500
500
500
0
0
0
500
500
500
500
0
0
0
0
0
0
0
500
0
500
0
0
0
0
0
500
500
500
500
0
0
500
500
500
500
0
500
500
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA11NMEADecoderV5epoch33_4092EABEA4C2C80B93E8156A1C914573LL9timeOfDay_10isDateSentAA5EpochVs5Int32VSg_s5Int64V12milliseconds_Sb8repairedtSgSbtF
# Func Hash:
160939642217823334
# Num Counters:
47
# Counter Values:
0
0
0
0
0
0
0
0
0
0
0
0
500
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
500
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA11NMEADecoderV5epochAA5EpochVSgyF
# Func Hash:
60151886161353002
# Num Counters:
62
# Counter Values:
0
0
0
0
0
0
0
0
0
0
0
500
0
0
0
0
500
0
0
0
500
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA11NMEADecoderV7readGGAyAA7ReadingOAA8SentenceV_s7RawSpanVAA6TalkerVtF
# Func Hash:
481661633452708794
# Num Counters:
39
# Counter Values:
0
0
0
0
500
0
0
0
500
500
500
500
0
0
500
0
500
0
0
500
500
500
0
500
500
0
0
0
0
0
0
0
0
0
0
0
500
0
0
# Num Bitmap Bytes:
$0
$s4NMEA11NMEADecoderV7readGSAyAA7ReadingOAA8SentenceV_s7RawSpanVAA6TalkerVtF
# Func Hash:
924492124292529510
# Num Counters:
61
# Counter Values:
6500
7500
0
0
0
0
0
0
500
6000
4500
0
4500
0
4500
4500
0
4500
0
0
0
500
0
500
500
500
500
0
0
0
0
500
500
500
0
0
500
500
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
500
500
0
# Num Bitmap Bytes:
$0
$s4NMEA11NMEADecoderV8endCycle33_2D709C64AC88EF706E06BC917E0F504ELL9inSilenceAA5EpochVSgSb_tF6$deferL_yyF
# Func Hash:
1096621590896601681
# Num Counters:
5
# Counter Values:
500
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA11NMEADecoderV9dropDraft33_2D709C64AC88EF706E06BC917E0F504ELLyyF
# Func Hash:
431494656919539458
# Num Counters:
3
# Counter Values:
500
0
0
# Num Bitmap Bytes:
$0
$s4NMEA11NMEADecoderV9joinTimed__5valid_AC4JoinOAA9EpochPartO_s5Int32VSgSbAA6TalkerVtF
# Func Hash:
845409192410618824
# Num Counters:
30
# Counter Values:
0
0
0
0
0
1000
0
0
0
0
1000
0
0
0
500
0
1000
0
0
0
500
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA11OlderHeightV02isB0_4thanSbs5Int32V_AGtF
# Func Hash:
549064152295286882
# Num Counters:
9
# Counter Values:
0
500
500
0
0
0
500
0
0
# Num Bitmap Bytes:
$0
$s4NMEA14LatestPositionV4readyAA0C0OAA8SentenceV_Sis7RawSpanVtF
# Func Hash:
934081909454087881
# Num Counters:
24
# Counter Values:
500
3500
1000
1000
0
0
2795
1205
1000
1000
1000
500
1000
0
0
500
0
0
500
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA18SatelliteNumberingO6system6talkerAA13ConstellationOSgAA6TalkerV_tFZTf4nd_n
# Func Hash:
93478047011989593
# Num Counters:
11
# Counter Values:
0
0
0
0
500
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA3SkyV10epochEndedyys5Int32VF
# Func Hash:
1096621587463891573
# Num Counters:
6
# Counter Values:
0
0
500
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA5EpochV13correctionAgeSdSgvg
# Func Hash:
237558884569187440
# Num Counters:
10
# Counter Values:
500
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA5EpochV15accuracyOfSpeedSdSgvg
# Func Hash:
287486626400617305
# Num Counters:
7
# Counter Values:
0
0
500
0
0
500
0
# Num Bitmap Bytes:
$0
$s4NMEA5EpochV15geoidSeparationSdSgvg
# Func Hash:
220863342454146131
# Num Counters:
9
# Counter Values:
500
0
500
0
500
0
500
500
500
# Num Bitmap Bytes:
$0
$s4NMEA5EpochV16accuracyOfCourseySdSgAE_AEtF
# Func Hash:
1096621591217043154
# Num Counters:
6
# Counter Values:
0
500
0
500
500
500
# Num Bitmap Bytes:
$0
$s4NMEA5EpochV16verticalAccuracySdSgvg
# Func Hash:
927205941530835351
# Num Counters:
15
# Counter Values:
0
500
0
0
500
500
0
500
500
500
500
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA5EpochV17magneticVariationSdSgvg
# Func Hash:
220863342454146131
# Num Counters:
9
# Counter Values:
500
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA5EpochV18horizontalAccuracySdSgvg
# Func Hash:
102051344692891362
# Num Counters:
28
# Counter Values:
0
0
500
0
0
0
0
500
0
0
500
0
500
0
0
0
0
0
500
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA5EpochV19ellipsoidalAltitudeSdSgvg
# Func Hash:
659684543600055005
# Num Counters:
18
# Counter Values:
500
500
0
0
0
0
500
0
0
0
0
0
0
500
0
500
500
500
# Num Bitmap Bytes:
$0
$s4NMEA5EpochV4hdopSdSgvg
# Func Hash:
784007059655560962
# Num Counters:
2
# Counter Values:
500
0
# Num Bitmap Bytes:
$0
$s4NMEA5EpochV4pdopSdSgvg
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s4NMEA5EpochV4vdopSdSgvg
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s4NMEA5EpochV6motionAA6MotionVvg
# Func Hash:
484499719114807188
# Num Counters:
7
# Counter Values:
500
0
500
500
500
500
0
# Num Bitmap Bytes:
$0
$s4NMEA5EpochV8altitudeSdSgvg
# Func Hash:
612219879424083649
# Num Counters:
17
# Counter Values:
0
0
500
0
0
0
0
500
0
500
500
500
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA5EpochV8dilution33_04031640A0D8C266ECF24407C360CDFALLySdSgAA10FixedPointVFZTf4nd_n
# Func Hash:
950286754487125549
# Num Counters:
11
# Counter Values:
3000
0
0
0
3000
0
0
3000
3000
3000
0
# Num Bitmap Bytes:
$0
$s4NMEA5EpochV9ReceiversE22hasWrongZeroSeparationSbvg
# Func Hash:
219088260607706452
# Num Counters:
7
# Counter Values:
500
0
0
0
500
0
0
# Num Bitmap Bytes:
$0
$s4NMEA5EpochV9ReceiversE8location33_58741590F753356C93774B172FC4E1D5LL2at8receiver11isAccessory13LocationModel0O0VAJ9TimestampV_SSSbtF
# Func Hash:
1070589993746246512
# Num Counters:
20
# Counter Values:
500
500
500
500
500
500
500
500
0
500
0
500
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA5EpochV9sentSpeed33_04031640A0D8C266ECF24407C360CDFALLSdSgvg
# Func Hash:
879355139729299741
# Num Counters:
34
# Counter Values:
0
0
500
0
0
0
0
0
0
0
0
0
0
0
0
0
500
500
500
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA5EpochVSgWOg
# Func Hash:
784007056844089447
# Num Counters:
2
# Counter Values:
2000
0
# Num Bitmap Bytes:
$0
$s4NMEA5EpochVSgWOi_
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
1000
# Num Bitmap Bytes:
$0
$s4NMEA5EventOSgWOg
# Func Hash:
382993475055910911
# Num Counters:
2
# Counter Values:
5000
2500
# Num Bitmap Bytes:
$0
$s4NMEA5EventOSgWOi0_
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
1500
# Num Bitmap Bytes:
$0
$s4NMEA5EventOSgWOi_
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
1500
# Num Bitmap Bytes:
$0
$s4NMEA5EventOWOg
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
1500
# Num Bitmap Bytes:
$0
$s4NMEA5EventOWOi_
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
1500
# Num Bitmap Bytes:
$0
$s4NMEA5EventOWOj_
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
1500
# Num Bitmap Bytes:
$0
$s4NMEA5FieldV4timeys5Int32VSgs7RawSpanVF
# Func Hash:
95820316376912898
# Num Counters:
15
# Counter Values:
0
0
0
1500
1500
1500
0
1500
0
1500
1500
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA5FieldV5angleys5Int64VSgs7RawSpanVF
# Func Hash:
227343872192053602
# Num Counters:
45
# Counter Values:
1000
0
1000
1000
1000
1000
1000
0
0
0
0
1000
0
0
0
1000
500
500
0
0
0
0
0
0
0
0
0
1000
1000
0
0
1000
0
0
1000
1000
0
1000
0
1000
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA5FieldV6signed33_08BB54BF8ED7FF15F0470BBC285CB898LLyAA10FixedPointVs7RawSpanVF
# Func Hash:
900673281910286252
# Num Counters:
68
# Counter Values:
3500
0
0
0
0
0
0
0
0
3500
0
0
3500
0
0
3500
0
0
3500
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA7CompassV6circleySdSgAA10FixedPointVFZTf4nd_n
# Func Hash:
75920035435156865
# Num Counters:
13
# Counter Values:
500
0
0
500
0
500
500
0
0
0
500
500
500
# Num Bitmap Bytes:
$0
$s4NMEA8CalendarO4days4year5month3days5Int32VSgSi_S2itFZTf4nnnd_n
# Func Hash:
453963837144740923
# Num Counters:
18
# Counter Values:
500
500
500
0
0
0
0
0
0
0
0
0
0
0
500
500
0
500
# Num Bitmap Bytes:
$0
$s4NMEA8SentenceV4scan_4from2toAC4ScanOs7RawSpanV_S2itFZTf4nnnd_n
# Func Hash:
888579792279611915
# Num Counters:
24
# Counter Values:
1500
0
0
11000
0
0
1500
1000
500
1500
1000
1500
0
0
380
1500
380
1500
1500
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA8SentenceV8position33_13598DFC7AB1C350FC10009ABC09A985LLyAA8PositionOSi_s7RawSpanVtF
# Func Hash:
521558811115729251
# Num Counters:
52
# Counter Values:
0
1000
500
1500
500
500
500
500
500
0
0
0
0
0
0
0
0
500
500
500
0
0
500
500
0
0
0
0
0
0
500
500
0
500
500
0
0
0
0
0
0
0
0
500
500
500
0
0
500
500
0
0
# Num Bitmap Bytes:
$0
$s4NMEA8TimelineV5stamp_4date0D4Times5Int64V12milliseconds_Sb8repairedtSgs5Int32V_A2MtF
# Func Hash:
375942205776740071
# Num Counters:
18
# Counter Values:
0
500
500
500
0
0
0
0
0
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA8TimelineV7advance2to_AC5OrderOs5Int32V_s5Int64V12milliseconds_Sb8repairedtSgtF
# Func Hash:
453963836085325290
# Num Counters:
20
# Counter Values:
500
0
500
500
500
0
0
500
0
0
0
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s4NMEA9FormatterO8rawValueACSgs6UInt32V_tcfCTf4nd_n
# Func Hash:
393568428436998137
# Num Counters:
18
# Counter Values:
1500
0
500
0
0
0
0
0
0
0
0
0
0
500
0
0
0
0
# Num Bitmap Bytes:
$0
$s7NIOCore10ByteBufferV15reserveCapacity20minimumWritableBytesySi_tF
# Func Hash:
1096621588324689783
# Num Counters:
5
# Counter Values:
500
0
0
0
0
# Num Bitmap Bytes:
$0
$s7NIOCore10ByteBufferV29_copyStorageAndRebaseIfNeededyyF
# Func Hash:
784007056844089447
# Num Counters:
2
# Counter Values:
500
0
# Num Bitmap Bytes:
$0
$s7NIOCore10ByteBufferV8_StorageC11reallocated15minimumCapacity9allocatorAEs6UInt32V_AA0bC9AllocatorVtFZTf4nnd_n
# Func Hash:
811594940139423323
# Num Counters:
3
# Counter Values:
3000
3000
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
1
$s7NIOCore19ByteBufferAllocatorVACycfcSvSgSicfU_To:3438
$s7NIOCore10ByteBufferV8_StorageCMa
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s7NIOCore10ByteBufferV8_StorageCfD
# Func Hash:
170957022131388415
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
1
$s7NIOCore19ByteBufferAllocatorVACycfcySvcfU1_To:573
$s7NIOCore19ByteBufferAllocatorVACycfC
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s7NIOCore19ByteBufferAllocatorVACycfcSvSgSicfU_To
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s7NIOCore19ByteBufferAllocatorVACycfcySvcfU1_To
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s7Varlink10ConnectionC4send_11replaceabley7NIOCore10ByteBufferV_SbtF
# Func Hash:
536873291190572214
# Num Counters:
4
# Counter Values:
500
0
500
500
# Num Bitmap Bytes:
$0
$s7Varlink10ConnectionC7perform33_659F882FA019FBB5A74A132CABFF51C4LLyy16EventLoopSupport13OutboundQueueV6ActionOyAC14WaitingRepliesV_GSgF
# Func Hash:
391331300274465806
# Num Counters:
8
# Counter Values:
500
500
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s7Varlink12EncodedReplyV16LocationProtocolAD9SubscribeORszrlE8location_9continuesACyAFG0D5Model0D0V_SbtFZ
# Func Hash:
753202734744377062
# Num Counters:
7
# Counter Values:
500
500
0
0
0
0
500
# Num Bitmap Bytes:
$0
$s7Varlink12EncodedReplyV16LocationProtocolAD9SubscribeORszrlE8location_9continuesACyAFG0D5Model0D0V_SbtFZy4JSON10JSONOutputVzXEfU_
# Func Hash:
133203527768019320
# Num Counters:
121
# Counter Values:
500
500
500
500
500
500
500
500
500
0
500
500
500
500
500
0
500
500
0
0
500
0
500
500
500
500
0
500
500
500
500
500
0
500
500
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
500
0
0
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_MemOPSize:
1
# NumValueSites:
2
1
17:550
0
$s7Varlink12EncodedReplyV9continues8capacity5writeACyxGSb_Siy4JSON10JSONOutputVzXEtcfC
# Func Hash:
382993475055910911
# Num Counters:
2
# Counter Values:
500
500
# Num Bitmap Bytes:
$0
$s7Varlink4CallV5offeryyAA12EncodedReplyVyxGF
# Func Hash:
536873293900927238
# Num Counters:
4
# Counter Values:
500
500
500
0
# Num Bitmap Bytes:
$0
$s7Varlink5FrameO5reply9continues8capacity_7NIOCore10ByteBufferVSb_Siy4JSON10JSONOutputVzXEtFZTf4nnnd_n
# Func Hash:
525513821968936610
# Num Counters:
18
# Counter Values:
500
500
500
500
0
0
0
0
0
0
0
0
0
0
0
0
500
500
# Num Bitmap Bytes:
$0
# Num Value Kinds:
2
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
1
BeaconMethods.swift.o;$s7Varlink12EncodedReplyV16LocationProtocolAD9SubscribeORszrlE8location_9continuesACyAFG0D5Model0D0V_SbtFZy4JSON10JSONOutputVzXEfU_TA:550
# ValueKind = IPVK_MemOPSize:
1
# NumValueSites:
1
1
17:550
$s7Varlink7AnyCallC16admitsContinuing33_57332EA8849B37A15D9CCE9B7098E7DBLLSbyF
# Func Hash:
567185240485904808
# Num Counters:
5
# Counter Values:
0
500
0
0
0
# Num Bitmap Bytes:
$0
$s9Receivers10SerialPortC4read33_57EEAB3B3C32CB4F45E42139AEC2DC12LLyyF
# Func Hash:
303685790947157317
# Num Counters:
11
# Counter Values:
0
0
0
0
0
500
0
500
0
0
0
# Num Bitmap Bytes:
$0
$s9Receivers10SerialPortC4read33_57EEAB3B3C32CB4F45E42139AEC2DC12LLyyFs5Int32VSgSwXEfU_
# Func Hash:
619802543842481144
# Num Counters:
6
# Counter Values:
500
500
0
0
0
0
# Num Bitmap Bytes:
$0
$s9Receivers11PaddedInputC6paddedySWSgs7RawSpanVF
# Func Hash:
182521313801786942
# Num Counters:
5
# Counter Values:
500
500
500
500
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_MemOPSize:
1
# NumValueSites:
1
1
129:549
$s9Receivers12ReportRhythmV5heard2aty7NIOCore11NIODeadlineV_tF
# Func Hash:
599005163691131523
# Num Counters:
9
# Counter Values:
0
500
0
500
0
0
0
0
0
# Num Bitmap Bytes:
$0
$s9Receivers12SourceReportVWOh
# Func Hash:
170957022131388415
# Num Counters:
1
# Counter Values:
1000
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
1
$s9Receivers12SourceReportVwxx:1100
$s9Receivers12SourceReportVwxx
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s9Receivers13UndatedEpochsV4date_5clock13LocationModel9TimestampV_AA9FixDatingOtSg4NMEA5EpochV_AHyXEtF
# Func Hash:
159584089291932820
# Num Counters:
12
# Counter Values:
0
500
500
0
0
0
500
0
0
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
2
0
0
$s9Receivers14ReceiverUpdateCMa
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s9Receivers14ReceiverUpdateCfD
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s9Receivers15SerialTransportC24hasSuspiciousCorrectionsSbvg
# Func Hash:
675064528515473758
# Num Counters:
7
# Counter Values:
500
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
0
$s9Receivers15SerialTransportC7receiveyys7RawSpanVF
# Func Hash:
515008862869815909
# Num Counters:
6
# Counter Values:
500
0
500
500
0
500
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
1
$s16EventLoopSupport07PollingB0C7NIOCore0aB0AadEP3nowAD11NIODeadlineVvgTW:550
$s9Receivers15SerialTransportCAA04ByteC0A2aDP24hasSuspiciousCorrectionsSbvgTW
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s9Receivers16SentenceReceiverC12awaitSilence33_C0551FB4989DF3092E2585B6351369D9LL5sincey7NIOCore11NIODeadlineV_tF
# Func Hash:
37730075260148182
# Num Counters:
4
# Counter Values:
500
0
0
0
# Num Bitmap Bytes:
$0
$s9Receivers16SentenceReceiverC13reportArrival33_C0551FB4989DF3092E2585B6351369D9LLyyF
# Func Hash:
402209682048842004
# Num Counters:
8
# Counter Values:
500
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
0
$s9Receivers16SentenceReceiverC6handle33_C0551FB4989DF3092E2585B6351369D9LL_2aty4NMEA5EventO_7NIOCore11NIODeadlineVtF
# Func Hash:
72790611356476761
# Num Counters:
12
# Counter Values:
0
0
0
0
0
0
500
0
0
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
0
$s9Receivers16SentenceReceiverC7receive_2atSiSgs7RawSpanV_7NIOCore11NIODeadlineVtF
# Func Hash:
1031345523616775430
# Num Counters:
87
# Counter Values:
0
0
0
0
0
1000
0
500
0
500
0
0
0
500
0
0
0
0
0
0
0
0
500
500
0
0
0
0
0
500
0
500
0
0
0
0
0
500
500
500
0
0
0
0
0
0
0
0
0
500
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
10
0
0
0
0
0
0
0
0
0
0
$s9Receivers16SentenceReceiverCAA9FixSourceA2aDP7warning13LocationModel0D6DoubtsVSgvgTW
# Func Hash:
212526878935420674
# Num Counters:
2
# Counter Values:
500
500
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
1
$s9Receivers15SerialTransportCAA04ByteC0A2aDP24hasSuspiciousCorrectionsSbvgTW:550
$s9Receivers3FixCMa
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s9Receivers3FixCfD
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s9Receivers8ReceiverC11isRecordingSbvg
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
$s9Receivers8ReceiverC13didProduceFix_2atyAA0E0C_7NIOCore11NIODeadlineVtF
# Func Hash:
610964798037922593
# Num Counters:
22
# Counter Values:
0
0
500
0
0
500
0
0
500
0
0
0
0
0
0
0
0
500
0
0
500
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
3
1
$s12LocationCore15ReceiverControlC9Receivers0C8DelegateAadEP8receiver_5judge2at0A5Model9FixDoubtsVSgAD0C0C_AD0K0C7NIOCore11NIODeadlineVtFTW:550
1
$s12LocationCore15ReceiverControlC9Receivers0C8DelegateAadEP16receiverWasFoundyyAD0C0CFTW:1
1
$s12LocationCore15ReceiverControlC9Receivers0C8DelegateAadEP8receiver_9didReportyAD0C0C_AD0C6UpdateCtFTW:550
$s9Receivers8ReceiverC6update33_117C2CB316855190C5EDA332E3EAEB73LL_2atAA0B6UpdateCAA3FixCSg_7NIOCore11NIODeadlineVtF
# Func Hash:
525547305023531111
# Num Counters:
17
# Counter Values:
500
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
0
$s9Receivers8ReceiverC7warning13LocationModel9FixDoubtsVSgvg
# Func Hash:
170957022131388415
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
# Num Value Kinds:
1
# ValueKind = IPVK_IndirectCallTarget:
0
# NumValueSites:
1
1
$s9Receivers16SentenceReceiverCAA9FixSourceA2aDP7warning13LocationModel0D6DoubtsVSgvgTW:550
$sSS8BytewiseE02isA5Equal2toSbSS_tF
# Func Hash:
1135183727842249058
# Num Counters:
6
# Counter Values:
500
0
0
500
0
0
# Num Bitmap Bytes:
$0
$sSlsE9dropFirsty11SubSequenceQzSiFSw_Tgq5
# Func Hash:
830659416952092209
# Num Counters:
10
# Counter Values:
0
2000
0
0
0
0
0
0
0
0
# Num Bitmap Bytes:
$0
$ss22__RawDictionaryStorageC4find_9hashValues10_HashTableV6BucketV6bucket_Sb5foundtx_SitSHRzlFs6UInt64V_Tg5
# Func Hash:
238984481110885645
# Num Counters:
3
# Counter Values:
7329
3829
3500
# Num Bitmap Bytes:
$0
$ss22__RawDictionaryStorageC4findys10_HashTableV6BucketV6bucket_Sb5foundtxSHRzlFs6UInt64V_Tg5
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
3500
# Num Bitmap Bytes:
$0
AccessHistory.swift.o;$s12LocationCore12SubscriptionC7deliver33_7EA8C98FF068F1EF6AE60ECF233FF61ELL_8counting11Positioning0C5RulesV7VerdictOAA8ReleasedVyAA11PublicationCG_AA10DeliveriesVztFAkOXEfU_0A5Model0A0VyXEfU_TA
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
AccessHistory.swift.o;$s12LocationCore15ReceiverControlC8receiver_5judge2at0A5Model9FixDoubtsVSg9Receivers0C0C_AK0I0C7NIOCore11NIODeadlineVtFSbyXEfU_TA
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
BeaconMethods.swift.o;$s7Varlink12EncodedReplyV16LocationProtocolAD9SubscribeORszrlE8location_9continuesACyAFG0D5Model0D0V_SbtFZy4JSON10JSONOutputVzXEfU_TA
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
CorrectionFlow.swift.o;$s9Receivers10SerialPortC4open2ony7NIOCore9EventLoop_p_tFy0gH7Support16DescriptorPollerC6EventsVcfU_TA
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
500
# Num Bitmap Bytes:
$0
__swift_instantiateConcreteTypeFromMangledName
# Func Hash:
784007059655560962
# Num Counters:
2
# Counter Values:
332112
1258
# Num Bitmap Bytes:
$0
__swift_instantiateConcreteTypeFromMangledNameAbstract
# Func Hash:
784007059655560962
# Num Counters:
2
# Counter Values:
840
0
# Num Bitmap Bytes:
$0
__swift_instantiateGenericMetadata
# Func Hash:
742261418966908927
# Num Counters:
1
# Counter Values:
726
# Num Bitmap Bytes:
$0
