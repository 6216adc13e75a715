-- Events of sessions of which the team is notified: a list, and the proof that an event is sent once.
create table team_events (
  id bigint generated always as identity primary key,
  team_id uuid not null references teams on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  kind text not null check (
    kind in ('session-started', 'driver-silent', 'stopped', 'problem', 'pit-in', 'stint-over')
  ),
  -- Distinguishes two events of one kind: the same number on every node that notices the event.
  occurrence bigint not null,
  at timestamptz not null,
  unique (session_id, kind, occurrence)
);
create index on team_events (team_id, at);

-- The push subscription of a browser. It ends with its login.
create table push_subscriptions (
  login_id uuid primary key references logins on delete cascade,
  -- SHA-256: a browser in which somebody else signs in keeps its endpoint.
  endpoint_hash bytea not null unique,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null
);

-- The events that a person chose; all without a row.
create table notification_choices (
  user_id uuid primary key references users on delete cascade,
  kinds text[] not null
);

-- The login of the phone in the car, which shows no notifications. Without a foreign key: it is only compared.
alter table sessions add driving_login_id uuid;
