-- Who there is. A person invited but never seen has no signed_in_at; an anonymous one no e-mail.
create table users (
  id uuid primary key default gen_random_uuid(),
  email text unique check (email = lower(email)),
  first_name text,
  last_name text,
  status text not null default 'Inactive' check (status in ('Active', 'Inactive')),
  active_team_id uuid,
  is_anonymous boolean not null default false,
  signed_in_at timestamptz,
  created_at timestamptz not null default now(),
  check ((status = 'Active') = (active_team_id is not null)),
  check (is_anonymous = (email is null))
);

-- A sign-in. The token itself is never stored, only its SHA-256.
create table logins (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null unique,
  device text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index logins_of_user on logins (user_id);
create index logins_by_expiry on logins (expires_at);

-- The newest code of an address. Only a keyed HMAC of it is stored.
create table login_codes (
  email text primary key,
  code_hmac bytea not null,
  first_name text,
  last_name text,
  tries integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

-- Keys the server made for itself, shared by all nodes.
create table server_keys (
  name text primary key,
  key bytea not null
);

-- How often something was done in a window of time, across nodes.
create table rate_counts (
  what text not null,
  window_start timestamptz not null,
  count integer not null default 0,
  primary key (what, window_start)
);

create table teams (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(trim(name)) between 1 and 80),
  created_at timestamptz not null default now()
);

alter table users add foreign key (active_team_id) references teams;

-- One row per membership.
create table team_access (
  user_id uuid not null references users on delete cascade,
  team_id uuid not null references teams on delete cascade,
  created_at timestamptz not null default now(),
  primary key (team_id, user_id)
);
create index team_access_of_user on team_access (user_id);

-- A race session. A sign-in is a login.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  team_id uuid not null references teams on delete cascade,
  user_id uuid not null references users,
  name text not null check (length(trim(name)) between 1 and 80),
  status text not null default 'Active' check (status in ('Active', 'Complete')),
  message_type text check (message_type in ('Easy', 'Go', 'Push', 'Pit', 'Fuel', 'FCY', 'SC', 'Abort')),
  message_version integer not null default 0,
  speed integer check (speed between 0 and 320),
  latitude double precision,
  longitude double precision,
  last_driver_contact timestamptz,
  date_started timestamptz not null default now(),
  date_ended timestamptz
);
create index sessions_active_of_team on sessions (team_id) where status = 'Active';
create index sessions_of_user on sessions (user_id);
-- A car has one session at a time in a team: a start pressed twice does not make two.
create unique index sessions_one_active_per_driver on sessions (team_id, user_id) where status = 'Active';

-- Every message of a session, with how far it came. Version 1 is the first.
create table messages (
  session_id uuid not null references sessions on delete cascade,
  version integer not null,
  command_id uuid not null,
  type text check (type in ('Easy', 'Go', 'Push', 'Pit', 'Fuel', 'FCY', 'SC', 'Abort')),
  sent_by uuid not null references users,
  pressed_at timestamptz not null,
  sent_at timestamptz not null,
  reached_at timestamptz,
  shown_at timestamptz,
  copied_at timestamptz,
  primary key (session_id, version),
  unique (session_id, command_id)
);

-- Every fix, by the time it was taken: storing one twice changes nothing.
create table positions (
  session_id uuid not null references sessions on delete cascade,
  at timestamptz not null,
  latitude double precision,
  longitude double precision,
  speed integer,
  accuracy_m real,
  primary key (session_id, at)
);

create view sessions_view as
select
  s.*,
  u.first_name as driver_first_name,
  u.last_name as driver_last_name,
  u.email as driver_email,
  m.command_id,
  m.pressed_at,
  m.sent_at,
  m.sent_by,
  m.reached_at,
  m.shown_at,
  m.copied_at
from sessions s
join users u on u.id = s.user_id
left join messages m on m.session_id = s.id and m.version = s.message_version;

-- The teams a user can see: always filter by user_id.
create view teams_view as
select t.id, t.name, a.user_id
from teams t
join team_access a on a.team_id = t.id;

create view team_users_view as
select a.team_id, u.id, u.first_name, u.last_name, u.email
from team_access a
join users u on u.id = a.user_id;

-- A team with its first member.
create function create_team(p_name text, p_user_id uuid) returns table (id uuid, name text)
language sql as $$
  with made as (
    insert into teams (name) values (p_name) returning teams.id, teams.name
  ), access as (
    insert into team_access (team_id, user_id) select made.id, p_user_id from made
  )
  select made.id, made.name from made
$$;

-- The driver's phone was heard: one session. The recorder writes many at once with the same rule.
create function update_last_driver_contact(
  p_session_id uuid, p_speed integer, p_latitude double precision, p_longitude double precision
) returns timestamptz
language sql as $$
  update sessions
  set speed = p_speed, latitude = p_latitude, longitude = p_longitude, last_driver_contact = now()
  where id = p_session_id and status = 'Active'
  returning last_driver_contact
$$;
