-- Races of a team. Sessions of several cars may drive one race; a team has one that has not ended.
create table races (
  id uuid primary key,
  team_id uuid not null references teams on delete cascade,
  name text not null check (length(btrim(name)) between 1 and 80),
  length_ms integer check (length_ms > 0),
  length_laps integer check (length_laps > 0),
  -- The rules as they were when the race was saved.
  rules jsonb not null,
  created_at timestamptz not null,
  started_at timestamptz,
  -- [{"from": ms, "to": ms or null}], in order of time.
  pauses jsonb not null default '[]',
  ended_at timestamptz,
  check (num_nonnulls(length_ms, length_laps) = 1),
  unique (team_id, id)
);
create unique index races_not_ended on races (team_id) where ended_at is null;
create index races_in_order on races (team_id, created_at desc, id);

-- The cars of a race; without any, every car of the team.
create table race_cars (
  race_id uuid not null references races on delete cascade,
  car_id uuid not null references cars on delete cascade,
  primary key (race_id, car_id)
);
create index race_cars_by_car on race_cars (car_id);

-- The team's decisions about the stints of a car; without a car, of sessions that name none.
create table race_plans (
  race_id uuid not null references races on delete cascade,
  car_id uuid references cars on delete cascade,
  plan jsonb not null,
  unique nulls not distinct (race_id, car_id)
);
create index race_plans_by_car on race_plans (car_id) where car_id is not null;

-- Rule packs of a team, in addition to those that the app contains.
create table rule_packs (
  id uuid primary key,
  team_id uuid not null references teams on delete cascade,
  rules jsonb not null,
  created_at timestamptz not null
);
create index rule_packs_of_team on rule_packs (team_id);

alter table sessions add race_id uuid, add foreign key (team_id, race_id) references races (team_id, id);
create index sessions_of_race on sessions (race_id) where race_id is not null;
