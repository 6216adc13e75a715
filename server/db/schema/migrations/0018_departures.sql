-- Departures of Moves: places at which the phone drove off after a standstill. Computed with its drives.
alter table session_moves add column departures jsonb not null default '[]';
