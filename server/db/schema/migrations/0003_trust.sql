-- A message not shown by this time never is. Null: valid until it is replaced.
alter table messages add expires_at timestamptz;

alter table sessions
  -- How long a message may take to reach the driver's screen.
  add expire_after_s integer not null default 120 check (expire_after_s between 10 and 3600),
  -- The state the driver's phone reports: PhoneState of the contract.
  add phone jsonb;

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
