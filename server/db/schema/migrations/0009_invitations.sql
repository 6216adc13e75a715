-- A pending invitation to a team. Membership begins when it is accepted.
create table invitations (
  id uuid primary key default gen_random_uuid(),
  team_id uuid not null references teams on delete cascade,
  email text not null check (email = lower(email)),
  -- As typed by the inviting member. They reveal nothing about an account with this address.
  first_name text not null,
  last_name text not null,
  invited_by uuid references users on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  unique (team_id, email)
);
create index invitations_of_address on invitations (email);
create index invitations_by_expiry on invitations (expires_at);

-- Members who never signed in were added unasked: they become invitations, valid for 30 days.
insert into invitations (team_id, email, first_name, last_name, created_at, expires_at)
select
  a.team_id, u.email, coalesce(u.first_name, u.email), coalesce(u.last_name, u.email),
  a.created_at, now() + interval '30 days'
from team_access a
join users u on u.id = a.user_id
where u.signed_in_at is null and u.email is not null;

delete from team_access a
using users u
where u.id = a.user_id and u.signed_in_at is null and u.email is not null;

-- They never signed in, so nothing else belongs to them.
delete from users u
where u.signed_in_at is null and u.email is not null
  and not exists (select from sessions where user_id = u.id)
  and not exists (select from messages where sent_by = u.id);

-- The owner may remove members: at first the team's creator, then the longest-standing member.
alter table teams add owner_id uuid references users on delete set null;
update teams t
set owner_id = (
  select user_id from team_access where team_id = t.id order by created_at, user_id limit 1
);

-- Creates a team with its first member, who owns it.
create or replace function create_team(p_name text, p_user_id uuid)
returns table (id uuid, name text)
language sql as $$
  with made as (
    insert into teams (name, owner_id) values (p_name, p_user_id) returning teams.id, teams.name
  ), access as (
    insert into team_access (team_id, user_id) select made.id, p_user_id from made
  )
  select made.id, made.name from made
$$;

drop view teams_view;
create view teams_view as
select t.id, t.name, t.owner_id, a.user_id
from teams t
join team_access a on a.team_id = t.id;
