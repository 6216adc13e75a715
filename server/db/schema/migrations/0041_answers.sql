-- A question is a message that asks the driver: PIT?
alter table messages add ask boolean not null default false,
  add check (not ask or type in ('Easy', 'Go', 'Push', 'Pit', 'Fuel'));

-- The driver's answer to a question, or a report without one. The phone chooses the id, so that a repeated frame stores
-- nothing twice; the number is the order in which the server stored them. The version is that of the message that the
-- phone knew, 0 before the first one.
create table answers (
  session_id uuid not null references sessions on delete cascade,
  id uuid not null,
  number integer not null,
  kind text not null check (kind in ('Yes', 'No', 'Problem', 'PitThisLap', 'TakenBack')),
  version integer not null,
  answered_at timestamptz not null,
  received_at timestamptz not null,
  primary key (session_id, id),
  unique (session_id, number)
);
create index answers_to_messages on answers (session_id, version);

-- The newest answer, and the newest one that reported a problem or took it back.
alter table sessions
  add answer_number integer not null default 0,
  add problem_number integer not null default 0;

-- Answers as the contract has them.
create view answers_view as
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
  ) || case when q.ask then jsonb_build_object('question', jsonb_build_object('type', q.type)) else '{}' end as answer
from answers a
left join messages q on q.session_id = a.session_id and q.version = a.version;

drop view sessions_view;
create view sessions_view as
select
  s.*,
  u.first_name as driver_first_name,
  u.last_name as driver_last_name,
  u.email as driver_email,
  c.number as car_number,
  d.id as current_driver_id,
  d.name as current_driver_name,
  d.user_id as current_driver_user_id,
  m.command_id,
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
