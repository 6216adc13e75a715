-- What members enter by hand of the official timing of a race. Clients choose the ids, and entries that were taken back
-- stay stored, so that a repeated command changes nothing.
create table timing_entries (
  race_id uuid not null references races on delete cascade,
  id uuid not null,
  -- Null for a flag.
  car_id uuid references cars on delete cascade,
  entry jsonb not null,
  entered_at timestamptz not null,
  -- Null once their account is gone.
  entered_by uuid references users on delete set null,
  undone_at timestamptz,
  primary key (race_id, id)
);
create index timing_entries_by_person on timing_entries (entered_by) where entered_by is not null;
create index timing_entries_of_car on timing_entries (car_id) where car_id is not null;
create index timing_entries_by_age on timing_entries (entered_at);
