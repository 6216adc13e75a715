-- Races are prepared days before, several of them, at first without a length. One of a team runs at a time.
alter table races
  -- When it is planned to start.
  add column starts_at timestamptz,
  drop constraint races_check,
  add constraint races_length_check check (
    num_nonnulls(length_ms, length_laps) <= 1
    and (started_at is null or num_nonnulls(length_ms, length_laps) = 1)
  );
drop index races_not_ended;
create index races_not_ended on races (team_id) where ended_at is null;
create unique index races_running on races (team_id) where started_at is not null and ended_at is null;
