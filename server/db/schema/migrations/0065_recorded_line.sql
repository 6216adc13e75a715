-- The start/finish line that the recording of an imported session has: [latitude, longitude].
alter table sessions add column recorded_line jsonb;
