/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The conformance suite's cases by name; conformance.c runs them in this order. May use nothing.
 */
#ifndef TESTS_CONFORMANCE_CASES_H
#define TESTS_CONFORMANCE_CASES_H

#define CONFORMANCE_CASES(CASE)                                                                    \
	CASE(Monitor_info_configured_isIdentity)                                                   \
	CASE(Monitor_config_default_any_isTheCardsAndEvent0AMark)                                  \
	CASE(Monitor_histogram_info_defaults_isExact)                                              \
	CASE(Monitor_histogram_info_oneEntry_isExact)                                              \
	CASE(Monitor_histogram_info_wholePageRanges_isExact)                                       \
	CASE(Monitor_histogram_info_alignedRanges_isExact)                                         \
	CASE(Monitor_histogram_info_untypedTags_countsAccessesAlone)                               \
	CASE(Monitor_histogram_info_smallCapacity_tellsHowManyRowsThereAre)                        \
	CASE(Monitor_histogram_info_filteredTypes_areNotCounted)                                   \
	CASE(Monitor_histogram_info_responsesOnly_namesPagesByTheirHome)                           \
	CASE(Monitor_histogram_info_requestsAndResponses_countEachTransactionOnce)                 \
	CASE(Monitor_sections_info_oneWordRanges_isExactForEverySize)                              \
	CASE(Monitor_sections_info_alignedRanges_isExactFromMaxRangeUp)                            \
	CASE(Monitor_sections_info_rangeOverBorder_straddles)                                      \
	CASE(Monitor_phase_info_marksOnTheLink_endPhases)                                          \
	CASE(Monitor_event_phaseMark_endsAPhase)                                                   \
	CASE(Monitor_loss_beforeAndAfterSwap_tellsWhatIsPending)                                   \
	CASE(Monitor_statistics_everyFate_isCountedOnce)                                           \
	CASE(Monitor_statistics_longTraffic_balances)                                              \
	CASE(Monitor_config_set_countersInTheCard_areDeliveredFirst)                               \
	CASE(Monitor_config_set_otherRing_losesNothing)                                            \
	CASE(Monitor_close_swappedOut_findsTheAccountRight)                                        \
	CASE(Monitor_static_counts_rangesAndFlags_areExact)                                        \
	CASE(Monitor_static_counts_fromAndUntil_areExact)                                          \
	CASE(Monitor_static_counts_beyondTheCountersWidth_areExact)                                \
	CASE(Monitor_static_counts_withoutTheDynamicArray_areAllThereIs)                           \
	CASE(Monitor_static_counts_switchedOff_areZero)                                            \
	CASE(Monitor_static_reset_running_readsOneAndLosesNothing)                                 \
	CASE(Monitor_static_set_running_isBusy)                                                    \
	CASE(Monitor_static_set_countersInTheCard_areDeliveredFirst)                               \
	CASE(Monitor_phases_markedByTheTimer_areTimeSlices)                                        \
	CASE(Monitor_records_read_timeRecords_comeOnTime)                                          \
	CASE(Monitor_histogram_info_narrowIds_dropTheRest)                                         \
	CASE(Monitor_records_read_otherRing_givesTheSameRecords)                                   \
	CASE(Monitor_records_read_knownFrames_decodeToKnownRecords)                                \
	CASE(Monitor_record_decode_impossible_isRefused)                                           \
	CASE(Monitor_config_set_impossibleValue_isRefused)                                         \
	CASE(Monitor_config_set_running_isBusy)                                                    \
	CASE(Monitor_calls_onWrongSource_areRefused)                                               \
	CASE(Monitor_event_outOfRange_isRefused)                                                   \
	CASE(Monitor_views_badQuestion_leaveOutputsAlone)

#define CASE_DECLARE(name) void name(void **state);
CONFORMANCE_CASES(CASE_DECLARE)
#undef CASE_DECLARE

#endif /* TESTS_CONFORMANCE_CASES_H */
