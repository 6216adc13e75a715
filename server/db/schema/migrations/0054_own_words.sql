-- Words that a team made itself. The position is the place in the list, from 0.
create table own_words (
  id uuid primary key,
  team_id uuid not null references teams on delete cascade,
  position smallint not null check (position between 0 and 3),
  text text not null check (char_length(text) between 1 and 10),
  colour text not null,
  unique (team_id, position)
);
-- BOX 2 and BOX2 look the same to a driver.
create unique index own_words_by_text on own_words (team_id, replace(text, ' ', ''));

-- A message keeps the word and the colour that it was sent with.
alter table messages add colour text;
alter table messages drop constraint messages_type_check;
alter table messages
  add constraint messages_type_check check (
    case
      when colour is null then type in ('Easy', 'Go', 'Push', 'Pit', 'Fuel', 'FCY', 'SC', 'Abort', 'Code 60')
      else type is not null and char_length(type) between 1 and 10
    end
  );
alter table messages drop constraint messages_check;
alter table messages
  add constraint messages_ask_check
  check (not ask or type in ('Easy', 'Go', 'Push', 'Pit', 'Fuel') or colour is not null);

-- A copy of the newest message's type.
alter table sessions drop constraint sessions_message_type_check;
alter table sessions
  add constraint sessions_message_type_check check (char_length(message_type) between 1 and 10);

alter table laps drop constraint laps_yellow_message_check;
alter table laps
  add constraint laps_yellow_message_check check (yellow_message in ('FCY', 'SC', 'Code 60'));

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
