-- Fuel that went into the car of a session. The fuel at the start has the id of the session. Clients choose the other
-- ids, and removed fills stay stored, so that a repeated command changes nothing.
create table fills (
  session_id uuid not null references sessions on delete cascade,
  id uuid not null,
  at timestamptz not null,
  litres double precision not null check (litres > 0 and litres <= 1000),
  kind text not null check (kind in ('start', 'full', 'part')),
  removed_at timestamptz,
  primary key (session_id, id),
  check ((kind = 'start') = (id = session_id))
);

-- The person who wished that the plan sends PIT one lap before the stop, null if nobody; and when it was sent last.
alter table sessions
  add auto_pit_by uuid references users on delete set null,
  add auto_pit_sent_at timestamptz;
alter table messages add by_plan boolean not null default false;
