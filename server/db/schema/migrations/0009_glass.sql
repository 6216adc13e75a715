-- Parts of official timing on the glass of a car. Active sessions of one car in a race have the same.
alter table sessions
  add column glass text[] not null default '{}' check (glass <@ '{flag,place,ahead,behind,faster}');

-- Changes of these parts, with the member who made each.
create table glass_changes (
  session_id uuid not null references sessions on delete cascade,
  at timestamptz not null,
  parts text[] not null,
  changed_by uuid references users on delete set null,
  primary key (session_id, at)
);
create index glass_changes_by_person on glass_changes (changed_by) where changed_by is not null;

-- Official flags that were sent to the glass of a session. The feed may be deleted before.
create table glass_flags (
  session_id uuid not null references sessions on delete cascade,
  feed_id uuid not null,
  -- The batch that changed the flag.
  change bigint not null,
  flag text not null,
  -- When its line was received, and when the phone painted the flag.
  at timestamptz not null,
  shown_at timestamptz,
  primary key (session_id, feed_id, change)
);
create index glass_flags_by_time on glass_flags (session_id, at);
