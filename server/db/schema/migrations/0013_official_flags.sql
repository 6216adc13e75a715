-- Official flags of a race by its source, from their first line to their newest. They stay when its lines are deleted: laps
-- follow from them.
create table official_flags (
  race_id uuid not null references races on delete cascade,
  at timestamptz not null,
  seen_at timestamptz not null,
  -- Null: the source showed none.
  flag text check (char_length(flag) <= 20),
  primary key (race_id, at)
);

-- The official flag under which a lap was yellow.
alter table laps add column yellow_flag text;
