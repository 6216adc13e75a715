-- Positions partitioned by the day they were taken (UTC), so that old ones are dropped as whole tables.
alter table positions rename to positions_before;
alter index positions_pkey rename to positions_before_pkey;

-- Without a foreign key: it would be checked for each fix, which doubles the cost of storing it, and would
-- lock sessions whenever a day is created or dropped. Code that stores fixes locks their session, and the
-- trigger below replaces "on delete cascade".
create table positions (
  session_id uuid not null,
  at timestamptz not null,
  latitude double precision,
  longitude double precision,
  speed integer,
  accuracy_m real,
  primary key (session_id, at)
) partition by range (at);

create function delete_positions() returns trigger
language plpgsql as $$
begin
  delete from positions where session_id = old.id;
  return null;
end
$$;
create trigger sessions_take_positions after delete on sessions
for each row execute function delete_positions();

-- There is no default partition: a day is created before its first fix is stored, by one process at a
-- time. It is created detached and then attached, so that no writer waits for it.
create function make_positions_day(p_day date) returns void
language plpgsql as $$
declare
  part text := 'positions_' || to_char(p_day, 'YYYYMMDD');
begin
  perform pg_advisory_xact_lock(7041933);
  if to_regclass(part) is not null then
    return;
  end if;
  execute format('create table %I (like positions including all)', part);
  execute format(
    'alter table positions attach partition %I for values from (%L) to (%L)',
    part, p_day::timestamp at time zone 'UTC', (p_day + 1)::timestamp at time zone 'UTC'
  );
end
$$;

-- Drops every day before this one. Gives up after a lock timeout: it is called again.
create function drop_positions_before(p_day date) returns integer
language plpgsql as $$
declare
  part text;
  dropped integer := 0;
begin
  perform pg_advisory_xact_lock(7041933);
  perform set_config('lock_timeout', '2s', true);
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'positions'::regclass
      and c.relname < 'positions_' || to_char(p_day, 'YYYYMMDD')
  loop
    execute format('drop table %I', part);
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;

select make_positions_day(day)
from (select distinct (at at time zone 'UTC')::date as day from positions_before) days;
insert into positions select * from positions_before;
drop table positions_before;

-- Positions deleted by the driver stay deleted: fixes taken before this time are not stored any more.
alter table sessions add positions_deleted_at timestamptz;
