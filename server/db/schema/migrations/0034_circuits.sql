-- Circuits of a team. Shipped ones are stored once the team drives on them or changes them; their id is that of the
-- shipped data. A deleted circuit stays as long as a session names a version of it.
create table circuits (
  team_id uuid not null references teams on delete cascade,
  id text not null,
  name text check (length(btrim(name)) between 1 and 80),
  source text not null check (source in ('shipped', 'learned', 'imported')),
  -- The session whose positions the first outline was learned from.
  learned_in uuid references sessions on delete set null,
  newest_version integer not null default 0,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (team_id, id)
);
create index circuits_learned_in on circuits (learned_in);

-- Versions are never changed. Coordinates are arrays of latitude and longitude.
create table circuit_versions (
  team_id uuid not null,
  circuit_id text not null,
  version integer not null,
  change text not null check (change in ('created', 'refined', 'line', 'pit-lane', 'undone', 'reversed')),
  outline jsonb not null,
  line jsonb not null,
  line_source text not null check (line_source in ('closed', 'data', 'tapped')),
  line_error_m real,
  pit_in jsonb,
  pit_out jsonb,
  length_m integer not null,
  direction text not null check (direction in ('clockwise', 'anticlockwise')),
  laps integer,
  error_m real,
  created_at timestamptz not null default now(),
  primary key (team_id, circuit_id, version),
  foreign key (team_id, circuit_id) references circuits on delete cascade
);

-- The version by which a session is timed. It follows the newest one until the session ends.
alter table sessions add circuit_id text, add circuit_version integer,
  add foreign key (team_id, circuit_id, circuit_version) references circuit_versions (team_id, circuit_id, version);
create index sessions_circuit on sessions (team_id, circuit_id) where circuit_id is not null;

-- Laps that were computed before are computed again when somebody opens them, which finds their circuit.
alter table lap_timings drop column circuit;
update lap_timings set finished = false, positions = 0;
