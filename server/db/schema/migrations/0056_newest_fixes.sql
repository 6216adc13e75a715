-- The newest fix of each session, which changes every second. As columns of sessions, each change wrote a whole wide row
-- and checked its constraints and foreign keys.
create table newest_fixes (
  session_id uuid primary key references sessions on delete cascade,
  speed integer check (speed between 0 and 320),
  latitude double precision,
  longitude double precision,
  last_driver_contact timestamptz
-- A new version of a row stays in its page, where most is free, so that no index changes (a HOT update). The first fix
-- makes the row twice as long.
) with (fillfactor = 25);

insert into newest_fixes (session_id, speed, latitude, longitude, last_driver_contact)
select id, speed, latitude, longitude, last_driver_contact from sessions;

-- Each session has a row from the start, so that storing a fix only updates it.
create function add_newest_fix() returns trigger
language plpgsql as $$
begin
  insert into newest_fixes (session_id) values (new.id);
  return null;
end
$$;
create trigger sessions_add_newest_fix after insert on sessions
for each row execute function add_newest_fix();

drop view sessions_view;
alter table sessions
  drop column speed, drop column latitude, drop column longitude, drop column last_driver_contact;
alter table sessions reset (fillfactor);

create view sessions_view as
select
  s.*,
  f.speed,
  f.latitude,
  f.longitude,
  f.last_driver_contact,
  u.first_name as driver_first_name,
  u.last_name as driver_last_name,
  u.email as driver_email,
  c.number as car_number,
  d.id as current_driver_id,
  d.name as current_driver_name,
  d.user_id as current_driver_user_id,
  m.command_id,
  m.colour,
  m.ask,
  m.pressed_at,
  m.sent_at,
  m.sent_by,
  m.reached_at,
  m.shown_at,
  m.copied_at,
  m.expires_at,
  a.answer,
  p.answer as problem
from sessions s
join newest_fixes f on f.session_id = s.id
join users u on u.id = s.user_id
left join cars c on c.id = s.car_id
left join drivers d on d.id = (
  select driver_id from stints
  where session_id = s.id and removed_at is null
  order by from_at desc, id desc
  limit 1
)
left join messages m on m.session_id = s.id and m.version = s.message_version
left join answers_view a on a.session_id = s.id and a.number = s.answer_number
left join answers_view p on p.session_id = s.id and p.number = s.problem_number;

create or replace function update_last_driver_contact(
  p_session_id uuid, p_speed integer, p_latitude double precision, p_longitude double precision
) returns timestamptz
language sql as $$
  update newest_fixes f
  set speed = p_speed, latitude = p_latitude, longitude = p_longitude, last_driver_contact = now()
  from sessions s
  where s.id = p_session_id and s.status = 'Active' and f.session_id = s.id
  returning f.last_driver_contact
$$;
