-- The member who switched the data link on again. Null while it is off, or if that was before the upgrade.
alter table data_link_breaks add column on_by uuid references users on delete set null;
drop view sessions_view;
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
  m.carried_over,
  m.pressed_at,
  m.sent_at,
  m.sent_by,
  m.reached_at,
  m.shown_at,
  m.copied_at,
  m.expires_at,
  a.answer,
  p.answer as problem,
  r.answer as reply,
  m.obeyed,
  m.by_plan,
  (
    select jsonb_build_object('at', (extract(epoch from b.off_at) * 1000)::bigint, 'by', o.first_name)
    from data_link_breaks b
    left join users o on o.id = b.off_by
    where b.session_id = s.id and b.on_at is null
    order by b.off_at desc
    limit 1
  ) as data_link_off,
  (
    select jsonb_build_object('at', (extract(epoch from b.on_at) * 1000)::bigint, 'by', o.first_name)
    from data_link_breaks b
    left join users o on o.id = b.on_by
    where b.session_id = s.id and s.data_link and b.on_at is not null
    order by b.off_at desc
    limit 1
  ) as data_link_on
from sessions s
join newest_fixes f on f.session_id = s.id
join users u on u.id = s.user_id
left join cars c on c.id = s.car_id
left join drivers d on d.id = s.driver_id
left join messages m on m.session_id = s.id and m.version = s.message_version
left join answers_view a on a.session_id = s.id and a.number = (select max(number) from answers where session_id = s.id)
left join answers_view p on p.session_id = s.id and p.number = s.problem_number
-- The newest Yes or No to the current message stays known after a report such as a problem.
left join answers_view r on r.session_id = s.id and r.number = (
  select max(number) from answers
  where session_id = s.id and version = s.message_version and kind in ('Yes', 'No')
);
