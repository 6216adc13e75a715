-- Finds the last lap before a time without reading all laps of the session.
create index laps_by_start on laps (session_id, started_at);
