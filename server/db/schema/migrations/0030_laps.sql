-- Insurers and organisers of track days forbid lap timing: a session then has no laps.
alter table sessions add lap_timing boolean not null default true;

drop view sessions_view;
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
  m.copied_at,
  m.expires_at
from sessions s
join users u on u.id = s.user_id
left join messages m on m.session_id = s.id and m.version = s.message_version;

-- Laps are computed from positions and messages, and stay when the positions are deleted.
create table laps (
  session_id uuid not null references sessions on delete cascade,
  number integer not null,
  started_at timestamptz not null,
  time_ms integer not null,
  plus_minus_ms integer not null,
  kind text not null check (kind in ('out', 'full', 'in', 'pit', 'incomplete')),
  is_seen boolean not null,
  yellow boolean not null,
  primary key (session_id, number)
);

-- The data from which the laps of a session were computed.
create table lap_timings (
  session_id uuid primary key references sessions on delete cascade,
  -- The id of a shipped circuit, or the learned outline. Null while it is not known.
  circuit jsonb,
  gps_poor boolean not null default false,
  -- Number of positions, and the time of the newest one.
  positions integer not null default 0,
  computed_up_to timestamptz,
  -- True once the laps of an ended session are complete.
  finished boolean not null default false
);
