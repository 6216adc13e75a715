-- A session that was imported from a recording. Its contents are found again by their hash, so that a repeated upload
-- imports nothing twice; the number of its positions counts towards the limit of the team.
alter table sessions add recording_hash bytea, add recorded_positions integer;
create unique index sessions_of_recordings on sessions (team_id, recording_hash)
  where recording_hash is not null;
alter table sessions add check (recorded_positions is null or status = 'Complete');

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
