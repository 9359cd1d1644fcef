"""Rules that a program of this kind gets wrong easily (races, crashes, eviction, order), each with the test that holds it here.

Numbers are those of the list of tested behaviours that the project measures itself against. A rule that does not apply has a line that
says why; none of those is a race.
"""

_M = "tests/broker/test_matching.py::test_"
_S = "tests/broker/test_setup_races.py::test_"
_W = "tests/broker/test_waits.py::test_"

BROKER_RULES: dict[str, tuple[str, ...]] = {
    "A6": ("tests/contract/test_transport.py::test_an_answer_goes_out_whole_and_then_the_connection_closes",),
    "B9": ("tests/broker/test_calls.py::test_over_the_depth_limit_nothing_is_started",),
    "F29": (_W + "a_wait_returns_when_its_task_is_blocked_and_shows_the_prompt",),
    "F30": (_W + "a_wait_returns_when_its_task_is_blocked_and_shows_the_prompt",),
    "F31": (_W + "the_same_prompt_does_not_wake_a_second_wait_but_another_one_does",),
    "F32": (_W + "a_prompt_still_open_after_300_seconds_wakes_again_and_not_before",),
    "F37": (_W + "a_wait_returns_at_once_when_one_of_them_has_ended_already",),
    "F38": (_W + "a_wait_on_what_is_unknown_never_parks",),
    "G52": (_M + "a_claimed_id_that_is_announced_again_and_again_stays_used_up",),
    "G53": (_M + "a_claimed_id_that_is_announced_again_and_again_stays_used_up",),
    "G54": (_M + "a_claimed_id_that_is_announced_again_and_again_stays_used_up",),
    "G55": (_M + "used_up_ids_outlive_many_more_claims",),
    "G62": (_M + "a_call_never_takes_a_siblings_announcement_but_waits_for_its_own",),
    "G63": (_M + "announcements_without_arguments_are_never_claimed_at_any_age",),
    "G64": (_M + "announcements_without_arguments_are_never_claimed_at_any_age",),
    "G65": (_M + "arguments_that_come_later_make_the_right_call_bind",),
    "G67": (_M + "a_call_never_takes_a_siblings_announcement_but_waits_for_its_own",),
    "G70": (_M + "many_announcements_are_all_kept",),
    "G73": (_M + "an_explicit_id_uses_up_its_announcement_whichever_comes_first",),
    "G75": (_M + "after_a_finished_one_a_call_with_the_same_arguments_takes_the_fresh_one",),
    "G78": (_M + "the_end_of_a_tool_call_never_seen_does_not_use_it_up",),
    "G82": (_M + "a_later_update_that_adds_a_folder_replaces_the_arguments",),
    "G84": (_M + "an_announcement_finds_the_call_that_came_before_it_and_the_card_moves",),
    "G87": (_M + "a_canceled_turn_uses_up_what_it_announced_and_forgets_what_it_called",),
    "G89": (_M + "a_canceled_turn_uses_up_what_it_announced_and_forgets_what_it_called",),
    "G91": ("tests/broker/test_cancel.py::test_a_cancel_is_decided_before_any_tree_is_gone",),
    "H110": ("tests/broker/test_cancel.py::test_a_parents_cancel_three_times_ends_each_task_once",),
    "H113": ("tests/runtime/test_snapshots.py::test_changes_are_numbered_without_gaps_from_the_snapshot_on",),
    "H114": ("tests/runtime/test_snapshots.py::test_changes_are_numbered_without_gaps_from_the_snapshot_on",),
    "H115": (_S + "a_parent_that_is_gone_covers_the_same_window",),
    "I116": (_S + "a_child_that_dies_while_starting_fails_its_task_with_the_detail_and_leaves_nothing",),
    "I117": (_S + "a_child_whose_turn_ends_before_its_prompt_was_confirmed_completes",),
    "I118": (_S + "a_normal_completion_leaves_nothing_that_a_later_end_of_the_child_could_touch",),
    "I119": (_S + "a_parent_canceled_while_its_child_is_spawned_sends_no_prompt",),
    "I120": (_S + "a_parent_canceled_after_the_prompt_was_sent_cancels_the_turn",),
    "I121": (_S + "a_completion_before_the_parents_cancel_keeps_its_result",),
    "I122": (_S + "a_parents_cancel_before_the_completion_wins",),
    "I123": (_S + "a_failure_before_the_parents_cancel_keeps_its_detail",),
    "I124": (_S + "a_parent_that_is_gone_covers_the_same_window",),
    "I125": (_S + "another_parents_cancel_does_not_disturb_a_task_that_starts",),
    "I131": ("tests/broker/test_calls.py::test_a_handle_cancelled_before_its_call_starts_nothing",),
    "I132": (_S + "a_parents_cancel_also_reaches_calls_with_a_handle",),
    "I133": (_M + "a_refused_call_uses_up_its_announcement",),
    "J136": ("tests/runtime/test_results.py::test_the_oldest_texts_of_a_parent_go_first_and_the_newest_never",),
    "J137": ("tests/runtime/test_results.py::test_the_oldest_texts_of_a_parent_go_first_and_the_newest_never",),
    "J141": ("tests/runtime/test_results.py::test_totals_and_bounds_hold_whatever_is_put",),
    "K149": ("tests/runtime/test_listener.py::test_closing_drops_the_wait_and_leaves_the_task",),
    "K156": ("tests/runtime/test_desk.py::test_a_pull_is_bounded_and_the_rest_comes_next",),
    "K157": ("tests/runtime/test_listener_sessions.py::test_notes_are_pulled_by_their_session_and_committed_by_id",),
    "K168": ("tests/runtime/test_listener_sessions.py::test_a_question_whose_peer_goes_is_dropped",),
    "L174": ("tests/runtime/test_listener.py::test_a_token_that_dies_while_its_call_is_prepared_starts_nothing",),
    "L176": ("tests/contract/test_transport.py::test_two_clients_one_after_the_other_and_many_at_once_are_all_taken",),
}

NOT_APPLICABLE: dict[str, str] = {
    "G57": "announcements without arguments are never handed out, so none can be too old for it",
    "G69": "there is no fallback that could hand out a sibling's announcement",
    "H93": "a host that announces calls without a name keeps its own words; titles of a parent are never rewritten",
    "H96": "likewise: nothing polls for such an announcement",
}
