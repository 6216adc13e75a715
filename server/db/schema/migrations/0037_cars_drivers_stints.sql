-- Cars of a team, in the team's order. An archived one stays for the sessions that name it.
create table cars (
  id uuid primary key,
  team_id uuid not null references teams on delete cascade,
  position integer not null,
  number text not null check (number ~ '^[0-9A-Z]{1,4}$'),
  name text check (length(btrim(name)) between 1 and 80),
  class text check (length(btrim(class)) between 1 and 80),
  tank_l double precision check (tank_l > 0),
  reserve_l double precision check (reserve_l >= 0),
  burn_l double precision check (burn_l > 0),
  archived_at timestamptz,
  unique (team_id, id)
);
create unique index cars_by_number on cars (team_id, number) where archived_at is null;

-- Drivers whom the team names; they need no account. An archived one stays for the stints that name it.
create table drivers (
  id uuid primary key,
  team_id uuid not null references teams on delete cascade,
  position integer not null,
  name text not null check (length(btrim(name)) between 1 and 80),
  -- The member who the driver is.
  user_id uuid references users on delete set null,
  archived_at timestamptz
);
create index drivers_of_team on drivers (team_id);
create index drivers_of_user on drivers (user_id) where user_id is not null;

alter table sessions add car_id uuid, add foreign key (team_id, car_id) references cars (team_id, id);
create index sessions_of_car on sessions (team_id, car_id) where car_id is not null;

-- A stint lasts until the next one of its session starts. The first one has the id of the session; without a row it
-- is driven by the person who started the session. Clients choose the ids, and removed stints stay stored, so that a
-- repeated command changes nothing.
create table stints (
  session_id uuid not null references sessions on delete cascade,
  id uuid not null,
  driver_id uuid references drivers,
  from_at timestamptz not null,
  removed_at timestamptz,
  primary key (session_id, id)
);
create index stints_in_order on stints (session_id, from_at desc, id desc) where removed_at is null;
create index stints_of_driver on stints (driver_id) where driver_id is not null;

drop view sessions_view;
create view sessions_view as
select
  s.*,
  u.first_name as driver_first_name,
  u.last_name as driver_last_name,
  u.email as driver_email,
  c.number as car_number,
  d.id as current_driver_id,
  d.name as current_driver_name,
  d.user_id as current_driver_user_id,
  m.command_id,
  m.pressed_at,
  m.sent_at,
  m.sent_by,
  m.reached_at,
  m.shown_at,
  m.copied_at,
  m.expires_at
from sessions s
join users u on u.id = s.user_id
left join cars c on c.id = s.car_id
left join drivers d on d.id = (
  select driver_id from stints
  where session_id = s.id and removed_at is null
  order by from_at desc, id desc
  limit 1
)
left join messages m on m.session_id = s.id and m.version = s.message_version;
