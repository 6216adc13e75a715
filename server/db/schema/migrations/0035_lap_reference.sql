-- The reference with which the drive screen compares the driver's lap.
alter table sessions
  add lap_reference text not null default 'average'
    check (lap_reference in ('average', 'best', 'target')),
  add target_lap_ms integer check (target_lap_ms between 10000 and 3600000),
  add check (lap_reference <> 'target' or target_lap_ms is not null);

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
