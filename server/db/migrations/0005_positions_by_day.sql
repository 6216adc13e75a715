-- Positions by the day they were taken (UTC): what is too old goes with its whole table, in no time.
alter table positions rename to positions_before;
alter index positions_pkey rename to positions_before_pkey;

-- Without a foreign key: it would be looked at for each fix, which doubles the cost of storing it, and lock
-- sessions whenever a day comes or goes. Who stores fixes locks their session, and the trigger below
-- does what "on delete cascade" would.
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

-- There is no default partition: a day is made before its first fix is stored. Processes that make the
-- same one take turns. Made apart and attached, so that nobody who writes has to wait for it.
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

-- Drops every day before this one. Gives up where others are at work for long: it is asked again.
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

-- What the driver had deleted stays deleted: fixes taken until then are not stored any more.
alter table sessions add positions_deleted_at timestamptz;
