// What the C interface's functions are called in here
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included before everything else in each source of libxcc but interface.cpp.
// A process may hold several copies of libxcc, and the public names may then
// stand for another copy's functions; in here xcc_launch is always this copy's
// own, which nothing outside of it can see or replace.

#ifndef XCC_SRC_INTERFACE_OWN_NAMES_H
#define XCC_SRC_INTERFACE_OWN_NAMES_H
#ifndef XCC_PUBLIC_NAMES

#define XCC_API __attribute__((visibility("hidden")))
#define xcc_status_name xccrt_status_name
#define xcc_last_error xccrt_last_error
#define xcc_error_capture xccrt_error_capture
#define xcc_error_retain xccrt_error_retain
#define xcc_error_release xccrt_error_release
#define xcc_error_status xccrt_error_status
#define xcc_error_message xccrt_error_message
#define xcc_error_kernel xccrt_error_kernel
#define xcc_error_file xccrt_error_file
#define xcc_error_line xccrt_error_line
#define xcc_error_device xccrt_error_device
#define xcc_device_count xccrt_device_count
#define xcc_device_get_properties xccrt_device_get_properties
#define xcc_device_get_current xccrt_device_get_current
#define xcc_device_set_current xccrt_device_set_current
#define xcc_device_synchronize xccrt_device_synchronize
#define xcc_device_set_stack xccrt_device_set_stack
#define xcc_services_deny xccrt_services_deny
#define xcc_services_allowed xccrt_services_allowed
#define xcc_stream_create xccrt_stream_create
#define xcc_stream_destroy xccrt_stream_destroy
#define xcc_stream_synchronize xccrt_stream_synchronize
#define xcc_signal_action xccrt_signal_action
#define xcc_stream_release xccrt_stream_release
#define xcc_stream_query xccrt_stream_query
#define xcc_stream_wait_event xccrt_stream_wait_event
#define xcc_event_create xccrt_event_create
#define xcc_event_destroy xccrt_event_destroy
#define xcc_event_record xccrt_event_record
#define xcc_event_synchronize xccrt_event_synchronize
#define xcc_event_query xccrt_event_query
#define xcc_event_elapsed xccrt_event_elapsed
#define xcc_alloc xccrt_alloc
#define xcc_free xccrt_free
#define xcc_alloc_host xccrt_alloc_host
#define xcc_free_host xccrt_free_host
#define xcc_alloc_async xccrt_alloc_async
#define xcc_free_async xccrt_free_async
#define xcc_copy xccrt_copy
#define xcc_fill xccrt_fill
#define xcc_copy_async xccrt_copy_async
#define xcc_fill_async xccrt_fill_async
#define xcc_launch xccrt_launch
#define xcc_kernel_prepare xccrt_kernel_prepare
#define xcc_kernel_suggest_block xccrt_kernel_suggest_block
#define xcc_kernel_cooperative_blocks xccrt_kernel_cooperative_blocks
#define xcc_binary_visit_images xccrt_binary_visit_images
#define xcc_binary_register xccrt_binary_register
#define xcc_binary_unload xccrt_binary_unload
#define xcc_host_table_register xccrt_host_table_register
#define xcc_host_table_unregister xccrt_host_table_unregister
#define xcc_launch_begin xccrt_launch_begin
#define xcc_mapping_range xccrt_mapping_range
#define xcc_mapping_objects xccrt_mapping_objects
#define xcc_mapping_home xccrt_mapping_home
#define xcc_mapping_within xccrt_mapping_within
#define xcc_mapping_away xccrt_mapping_away
#define xcc_mapping_address xccrt_mapping_address
#define xcc_mapping_enter xccrt_mapping_enter
#define xcc_mapping_leave xccrt_mapping_leave
#define xcc_mapping_refuse xccrt_mapping_refuse
#define xcc_mapping_launch xccrt_mapping_launch
#define xcc_mapping_cancel xccrt_mapping_cancel
#define xcc_mapping_begin xccrt_mapping_begin
#define xcc_mapping_hold xccrt_mapping_hold
#define xcc_mapping_update xccrt_mapping_update
#define xcc_scope_end xccrt_scope_end
#define xcc_scope_release xccrt_scope_release
#define xcc_data_begin xccrt_data_begin
#define xcc_data_update xccrt_data_update
#define xcc_data_end xccrt_data_end
#define xcc_launch_repeat xccrt_launch_repeat
#define xcc_mapping_depends xccrt_mapping_depends
#define xcc_symbol_address xccrt_symbol_address
#define xcc_stream_device xccrt_stream_device
#define xcc_jit_kernel xccrt_jit_kernel
#define xcc_find_kernel xccrt_find_kernel
#define xcc_kernel_specialize xccrt_kernel_specialize
#define xcc_source_compile xccrt_source_compile
#define xcc_source_retain xccrt_source_retain
#define xcc_source_release xccrt_source_release
#define xcc_source_log xccrt_source_log
#define xcc_source_get_diagnostic xccrt_source_get_diagnostic
#define xcc_source_kernel xccrt_source_kernel
#define xcc_source_check xccrt_source_check
#define xcc_source_variable xccrt_source_variable
#define xcc_source_get_kernel xccrt_source_get_kernel
#define xcc_fill_elements xccrt_fill_elements
#define xcc_fill_elements_async xccrt_fill_elements_async
#define xcc_device_get_memory xccrt_device_get_memory
#define xcc_stream_call xccrt_stream_call
#define xcc_check_indices xccrt_check_indices
#define xcc_check_range xccrt_check_range
#define xcc_check_room xccrt_check_room
#define xcc_alloc_managed xccrt_alloc_managed
#define xcc_free_managed xccrt_free_managed
#define xcc_host_register xccrt_host_register
#define xcc_host_unregister xccrt_host_unregister
#define xcc_stream_create_with_priority xccrt_stream_create_with_priority
#define xcc_device_get_priorities xccrt_device_get_priorities
#define xcc_device_get_pool xccrt_device_get_pool
#define xcc_device_set_pool_limit xccrt_device_set_pool_limit
#define xcc_device_trim_pool xccrt_device_trim_pool
#define xcc_check_extent xccrt_check_extent
#define xcc_alloc_pitched xccrt_alloc_pitched
#define xcc_copy_pitched xccrt_copy_pitched
#define xcc_copy_pitched_async xccrt_copy_pitched_async
#define xcc_fill_pitched xccrt_fill_pitched
#define xcc_fill_pitched_async xccrt_fill_pitched_async
#define xcc_graph_begin xccrt_graph_begin
#define xcc_graph_end xccrt_graph_end
#define xcc_graph_launch xccrt_graph_launch
#define xcc_graph_size xccrt_graph_size
#define xcc_graph_update xccrt_graph_update
#define xcc_graph_destroy xccrt_graph_destroy
#define xcc_stream_recorded xccrt_stream_recorded
#define xcc_main_returns xccrt_main_returns

#endif
#endif // XCC_SRC_INTERFACE_OWN_NAMES_H
