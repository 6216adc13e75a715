-- Where the phone of a session drove off after it had stood: the departures of Moves. Computed with its drives.
alter table session_moves add column departures jsonb not null default '[]';
