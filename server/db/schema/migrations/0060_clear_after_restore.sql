-- The message that clears a screen after a restore has no sender.
alter table messages alter column sent_by drop not null;

-- Call it once after a backup was restored. Phones and open pages have seen later messages and answers than the backup
-- has, and ignore all with a lower version or number. In each active session this clears the driver's screen and takes
-- a reported problem back, with a version and a number that are higher than any before the restore: the seconds since
-- 2020, because messages are sent less than once a second. That also holds after several restores. The thousand is for
-- a computer whose clock is wrong. Returns the number of sessions.
-- A restore of an older dump leaves the function behind, so it may exist.
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
