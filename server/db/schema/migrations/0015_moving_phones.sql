-- Since when the phone of a session moves, as of its last fix; null while it stands. Computed with its drives.
alter table session_moves add column moving_since timestamptz;
