-- Visits to the pits, computed with the laps. The stop is the longest one in the visit.
create table pit_visits (
  session_id uuid not null references sessions on delete cascade,
  started_at timestamptz not null,
  -- Null while the car is in the pits, or if the drive ended there.
  ended_at timestamptz,
  stopped_at timestamptz,
  left_at timestamptz,
  primary key (session_id, started_at)
);
