-- Identifies the table and the server, to detect a restored dump: it recreates the table, which then has another object
-- id, or is on another server. Two new servers may give the same object ids.
-- An older dump that was restored over a newer database leaves the table and the function behind: they are replaced.
drop table if exists database_identity;
create table database_identity (
  only_row boolean primary key default true check (only_row),
  table_oid oid not null,
  -- Null if it cannot be read, such as without the right on a managed server.
  server_id bigint
);

create or replace function current_server_id() returns bigint
language plpgsql as $$
begin
  return (select system_identifier from pg_control_system());
exception when others then
  return null;
end
$$;

insert into database_identity (table_oid, server_id) values ('database_identity'::regclass, current_server_id());

-- As in 0060_clear_after_restore.sql, and so that the next start does not call it again.
create or replace function clear_after_restore() returns integer
language sql as $$
  update database_identity set table_oid = tableoid, server_id = current_server_id();
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
