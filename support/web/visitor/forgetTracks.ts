/**
 * Keys that the tracker and its add-on store in the browser. Source: their code, 14.0.14 and 9.0.1.
 */
const keys = {
  local: [
    '__openreplay_uuid',
    'or_uxt_active',
    'or_uxt_session_id',
    'or_uxt_test_id',
    'or_uxt_test_start',
    'or_uxt_task_index',
  ],
  session: [
    '__openreplay_token',
    '__openreplay_tabid',
    '__openreplay_pageno',
    '__openreplay_reset',
    '__openreplay_flags',
    '__openreplay_control_peer',
    // Set by the patched add-on: see patches/.
    '__openreplay_control_name',
    '__openreplay_calling_peer',
    '__openreplay_assist_call_start_ts',
  ],
}

/** Deletes the traces of the visit: the next visitor may be somebody else. */
export function forgetTracks() {
  for (const key of keys.local) localStorage.removeItem(key)
  for (const key of keys.session) sessionStorage.removeItem(key)
}
