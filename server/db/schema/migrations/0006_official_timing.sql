-- The source of the official timing of a race, and what it has sent.
create table race_timings (
  race_id uuid primary key references races on delete cascade,
  -- Another source is another feed.
  id uuid not null unique,
  source jsonb not null,
  -- The number of the newest batch, and the letters of all of them.
  newest bigint not null default 0,
  letters bigint not null default 0,
  -- The node that is connected to the source, until then.
  owner uuid,
  owned_until timestamptz,
  failure text
);

-- Lines as they were received, one batch a row. The state of the race follows from them.
create table timing_batches (
  feed_id uuid not null references race_timings (id) on delete cascade,
  number bigint not null,
  received_at timestamptz not null,
  lines text not null,
  primary key (feed_id, number)
);
create index timing_batches_by_age on timing_batches (received_at);

-- A device may send official timing.
alter table logins
  drop constraint scopes_of_device,
  add constraint scopes_of_device check (
    case
      when device is null then scopes is null or scopes = '{wall}'
      else scopes <@ '{drive,read,send,timing}' and cardinality(scopes) > 0
    end
  );
