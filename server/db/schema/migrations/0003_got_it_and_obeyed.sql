-- The member who pressed "Got it" after a problem that the driver reported, and when. It has the next number of the
-- answers of its session, so that a screen which missed it notices.
alter table answers
  add column got_by uuid references users on delete set null,
  add column got_at timestamptz,
  add column got_number integer;

create or replace view answers_view as
select
  a.session_id,
  a.number,
  a.version,
  jsonb_build_object(
    'id', a.id,
    'number', a.number,
    'kind', a.kind,
    'version', a.version,
    'at', (extract(epoch from a.answered_at) * 1000)::bigint,
    'receivedAt', (extract(epoch from a.received_at) * 1000)::bigint
  )
  || case when q.ask then jsonb_build_object('question', jsonb_build_object('type', q.type)) else '{}' end
  || case
    when a.got_at is null then '{}'
    else jsonb_build_object(
      'gotIt',
      jsonb_build_object(
        'by', g.first_name, 'number', a.got_number, 'at', (extract(epoch from a.got_at) * 1000)::bigint
      )
    )
  end as answer
from answers a
left join messages q on q.session_id = a.session_id and q.version = a.version
left join users g on g.id = a.got_by;

-- It clears an order that the driver has obeyed, at the end of the stop. Nobody has sent it.
alter table messages add column obeyed boolean not null default false;

create or replace view sessions_view as
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
  m.obeyed
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
