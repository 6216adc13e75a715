-- The message that clears a screen after a restore has no sender.
alter table messages alter column sent_by drop not null;

-- Clears the driver's screen and takes back a reported problem in each active session. Returns the number of sessions.
-- Call it once after a backup was restored: phones and open pages have seen later messages and answers than the backup
-- has, and ignore all with a lower version or number. Version and number become the seconds since 2020, more than any
-- before the restore, also after several restores, because messages are sent less than once a second. If the computer's
-- clock is behind, version and number grow by 1000 instead.
-- The function may exist: restoring a dump from before this migration leaves it in the database.
create or replace function clear_after_restore() returns integer
language sql as $$
  with cleared as (
    update sessions
    set message_type = null,
      message_version = greatest(message_version + 1000, seconds),
      answer_number = greatest(answer_number + 1000, seconds),
      problem_number = greatest(answer_number + 1000, seconds)
    from (select extract(epoch from now() - timestamptz '2020-01-01 00:00Z')::integer as seconds) as since_2020
    where status = 'Active'
    returning id, message_version, answer_number
  ), clears as (
    insert into messages (session_id, version, command_id, sent_by, pressed_at, sent_at)
    select id, message_version, gen_random_uuid(), null, now(), now() from cleared
  ), taken_back as (
    insert into answers (session_id, id, number, kind, version, answered_at, received_at)
    select id, gen_random_uuid(), answer_number, 'TakenBack', message_version, now(), now() from cleared
  )
  select count(*)::integer from cleared
$$;
