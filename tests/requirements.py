"""What the suite must prove, and by which tests. A test checks that each named one is collected."""

from typing import Final

from tests.broker_rules import BROKER_RULES, NOT_APPLICABLE

__all__ = ["BROKER_RULES", "FIELD_REPORTS", "NOT_APPLICABLE"]

_WIRE: Final = "tests/e2e/test_field_wire.py::"
_TURNS: Final = "tests/e2e/test_field_turns.py::"
_PEOPLE: Final = "tests/e2e/test_field_people.py::"
_SYSTEM: Final = "tests/e2e/test_field_system.py::"

FIELD_REPORTS: Final[dict[str, list[str]]] = {
    "B02": [
        _WIRE + "test_b02_an_undecodable_line_costs_itself_alone_in_mid_work",
        _WIRE + "test_b02_characters_arrive_whatever_pieces_they_come_in",
        "tests/companion/test_process.py::test_the_first_line_may_be_malformed_in_any_way",
        "tests/jsonrpc/test_framing_properties.py::test_single_bytes_give_what_the_whole_gives",
    ],
    "B03": [
        _WIRE + "test_b03_lines_may_end_in_crlf_and_none_of_ours_does",
        "tests/companion/test_process.py::test_crlf_and_blank_lines_are_accepted_and_no_cr_is_written",
    ],
    "B04": [
        _WIRE + "test_b04_stdout_holds_nothing_but_messages_whatever_happens",
        "tests/companion/test_process.py::test_start_up_noise_never_reaches_stdout",
    ],
    "B05": [
        _TURNS + "test_b05_b36_b37_a_turn_brings_what_was_said_and_its_cause",
        "tests/sessions/test_connection_turns.py::test_a_few_stray_lines_are_passed_over_and_many_end_the_turn_quoting_the_first",
        "tests/sessions/test_connection_turns.py::test_a_cut_message_ends_the_turn_at_once_and_is_quoted",
    ],
    "B06": [
        _WIRE + "test_b06_with_twenty_waits_open_everything_else_is_served",
        "tests/companion/test_host.py::test_three_hundred_calls_at_once_against_a_host_that_stands_still",
    ],
    "B07": [
        _WIRE + "test_b07_whatever_was_read_before_the_end_of_input_is_answered",
        "tests/companion/test_endings.py::test_a_set_up_that_the_host_does_not_finish_is_cancelled_there",
    ],
    "B10": [
        _TURNS + "test_b10_when_a_task_reads_canceled_nothing_of_it_works_any_more",
        "tests/e2e/test_cancel_moments.py::test_while_its_own_children_run",
        "tests/broker/test_limits.py::test_a_task_that_is_stopping_keeps_its_slot_until_its_tree_is_gone",
    ],
    "B12": [
        _TURNS + "test_b12_a_turn_that_claims_to_have_ended_after_a_cancel_is_canceled_and_resumes",
        _TURNS + "test_b12_a_cancelled_that_nobody_asked_for_fails_with_its_text_and_resumes",
        _TURNS + "test_b12_a_second_answer_to_an_old_id_does_not_end_the_next_turn",
        "tests/contract/test_agent_connection.py::test_a_second_answer_to_an_old_prompt_does_not_end_the_next_turn",
    ],
    "B13": [
        _TURNS + "test_b13_a_permission_that_comes_after_the_cancel_is_answered_and_shows_no_card",
        "tests/e2e/test_people.py::test_a_cancel_answers_every_open_permission_and_clears_the_card",
        "tests/contract/test_agent_connection.py::test_a_cancel_answers_open_permissions_and_shows_no_later_one",
    ],
    "B15": [
        _WIRE + "test_b15_whatever_wait_is_asked_the_answer_comes_within_the_cap_as_a_success",
        "tests/companion/test_hosts.py::test_a_wait_ends_before_the_programs_own_limit",
        "tests/companion/test_relay.py::test_at_the_limit_the_wait_is_closed_and_the_snapshot_says_to_call_again",
        "tests/companion/test_host.py::test_progress_comes_only_with_a_token_and_never_after_the_reply",
    ],
    "B19": [
        _TURNS + "test_b19_a_start_that_hangs_or_fails_says_where_and_why",
        "tests/e2e/test_crash.py::test_a_companion_works_as_soon_as_a_host_is_up",
        "tests/companion/test_session.py::test_without_a_host_the_listing_comes_at_once",
        "tests/sessions/test_connection_start.py::test_a_step_without_an_answer_is_a_timeout_that_names_it",
        "tests/sessions/test_connection_start.py::test_a_load_without_an_answer_is_a_timeout_too",
        "tests/sessions/test_connection_start.py::test_a_program_that_is_not_there_is_named",
    ],
    "B21": [
        _PEOPLE + "test_b21_four_questions_stay_open_past_the_cap_and_are_answered_once",
        _PEOPLE + "test_b21_a_late_answer_comes_with_the_same_question_asked_again",
        _PEOPLE + "test_b21_a_question_goes_with_its_asker_and_cannot_be_answered_any_more",
        "tests/e2e/test_people.py::test_a_question_waits_for_the_person_and_brings_the_answer",
        "tests/e2e/test_trouble.py::test_notes_and_answers_come_at_least_once_until_they_are_committed",
    ],
    "B22": [
        _PEOPLE + "test_b22_agents_that_delegate_without_end_meet_the_hosts_limits",
        _PEOPLE + "test_b22_a_child_at_the_last_level_is_neither_offered_the_tool_nor_served",
        "tests/e2e/test_limits.py::test_a_nested_call_that_finds_its_root_full_is_refused_and_its_parent_goes_on",
        "tests/e2e/test_limits.py::test_forty_calls_at_once_keep_the_limit_and_the_order",
    ],
    "B23": [
        _WIRE + "test_b23_a_companion_with_five_waits_open_ends_with_its_peer",
        "tests/companion/test_endings.py::test_a_broken_stdout_ends_it_without_spinning",
        "tests/companion/test_endings.py::test_the_death_of_the_parent_ends_it_although_somebody_holds_the_pipe",
        "tests/companion/test_endings.py::test_the_end_of_stdin_behind_a_stuck_stdout_is_noticed",
    ],
    "B24": [
        _SYSTEM + "test_b24_a_cancel_ends_every_descendant_and_nobody_else",
        "tests/sessions/test_process_tree.py::test_after_a_stop_no_process_of_the_tree_is_left",
        "tests/sessions/test_process_tree.py::test_all_who_ask_for_a_stop_get_it_when_the_tree_is_gone_and_every_signal_is_logged",
        "tests/sessions/test_leftovers.py::test_a_pid_that_belongs_to_somebody_else_by_now_is_left_alone",
    ],
    "B27": [
        _SYSTEM + "test_b27_with_long_paths_the_host_listens_on_a_short_one_and_works",
        "tests/wire/test_places.py::test_a_socket_path_of_100_bytes_stays_and_one_more_moves",
        "tests/sessions/test_environment.py::test_a_long_folder_for_temporary_files_is_not_handed_on",
    ],
    "B29": [
        _SYSTEM + "test_b29_under_umask_000_nothing_is_open_to_others",
        _SYSTEM + "test_b29_a_token_is_worth_its_own_conversation_and_dies_with_it",
        "tests/e2e/test_doors.py::test_no_token_is_on_any_command_line_in_a_log_or_in_an_agents_environment",
        "tests/e2e/test_doors.py::test_a_bad_token_gets_nothing",
        "tests/e2e/test_doors.py::test_garbage_gets_one_error_and_the_host_stays_up",
        "tests/runtime/test_listener.py::test_another_user_is_dropped_before_a_byte_is_read",
        "tests/runtime/test_discovery.py::test_everything_is_closed_to_others_from_its_first_instant_under_any_umask",
    ],
    "B30": [
        _SYSTEM + "test_b30_an_agent_holds_nothing_of_ours_while_much_is_open",
        _SYSTEM + "test_b30_a_host_starts_again_although_agents_have_lost_their_keeper",
        "tests/runtime/test_discovery.py::test_no_child_inherits_a_descriptor",
    ],
    "B31": [
        _SYSTEM + "test_b31_an_agent_gets_the_login_shells_path_and_none_of_the_markers",
        _SYSTEM + "test_b31_a_missing_program_is_named_with_the_folders_searched_and_the_setting",
        "tests/sessions/test_environment.py::test_only_the_named_variables_are_taken_out_and_sign_ins_stay",
        "tests/sessions/test_environment.py::test_a_missing_program_is_named_with_the_folders_searched_and_the_setting",
    ],
    "B33": [
        _WIRE + "test_b33_a_peer_without_an_end_costs_itself_alone_and_little_memory",
        "tests/companion/test_process.py::test_a_line_over_32_mib_is_refused_and_the_connection_stays",
        "tests/sessions/test_connection_intake.py::test_a_message_without_an_end_is_held_to_the_limit_only",
        "tests/runtime/test_listener.py::test_unfinished_requests_hold_a_bounded_number_of_bytes_in_all",
    ],
    "B35": [
        _WIRE + "test_b35_fifty_megabytes_on_stderr_stop_nothing_and_are_not_kept",
        "tests/sessions/test_process_stderr.py::test_a_flood_costs_a_bounded_amount_of_memory",
        "tests/companion/test_process.py::test_unread_stderr_blocks_nothing",
        "tests/companion/test_endings.py::test_a_closed_stderr_alone_is_no_end",
    ],
    "B36": [
        _TURNS + "test_b05_b36_b37_a_turn_brings_what_was_said_and_its_cause",
        _TURNS + "test_b36_private_thoughts_are_nowhere_in_a_reply",
        "tests/sessions/test_thread.py::test_no_update_whatever_makes_the_fold_raise",
    ],
    "B37": [
        _TURNS + "test_b05_b36_b37_a_turn_brings_what_was_said_and_its_cause",
        _TURNS + "test_b19_a_start_that_hangs_or_fails_says_where_and_why",
        "tests/e2e/test_delegation.py::test_each_way_to_end_is_told_truthfully",
    ],
    "B39": [
        _WIRE + "test_b39_what_models_send_as_text_is_understood_where_it_has_one_meaning",
        _WIRE + "test_b39_any_other_mistake_is_a_result_that_names_field_and_what_it_takes",
        "tests/companion/test_schema.py::test_schemas_are_plain",
        "tests/companion/test_arguments.py::test_anything_is_either_taken_or_named_wrong",
    ],
    "B42": [
        "tests/ui/bridge/test_process.py::test_a_signal_ends_it_in_order",
        "tests/ui/bridge/test_process.py::test_a_signal_at_any_moment_of_the_start_ends_it",
        "tests/ui/bridge/test_desktop.py::test_with_tasks_running_there_is_one_question_and_stop_ends_them",
        "tests/ui/bridge/test_desktop.py::test_quitting_while_it_starts_ends_it",
    ],
    "B43": [
        "tests/ui/workspace/test_scaling.py::test_every_page_has_the_pixels_of_its_scale_and_no_button_is_cut",
        "tests/ui/workspace/test_scaling.py::test_the_persons_own_rounding_policy_wins",
    ],
}
"""Field report to node ids of tests, without parameters."""
