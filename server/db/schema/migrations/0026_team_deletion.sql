-- A deleted team is hidden at once and removed for good later: until then its owner can restore it.
alter table teams add deleted_at timestamptz;
create index teams_by_deletion on teams (deleted_at) where deleted_at is not null;

-- Every right follows from a row of team_access, so a deleted team must not have any. Its memberships remain
-- in the table, for a restoration.
alter table team_access rename to memberships;
create view team_access as
select m.user_id, m.team_id, m.role, m.created_at
from memberships m
where not exists (select from teams t where t.id = m.team_id and t.deleted_at is not null);

-- Both read the view now instead of the renamed table.
drop view teams_view;
create view teams_view as
select t.id, t.name, t.owner_id, a.user_id, a.role
from teams t
join team_access a on a.team_id = t.id;

drop view team_users_view;
create view team_users_view as
select a.team_id, u.id, u.first_name, u.last_name, u.email, a.role
from team_access a
join users u on u.id = a.user_id;

-- Who changed what in a team. The affected person is a user, or the name that was typed for an invitation.
create table team_changes (
  id bigint generated always as identity primary key,
  team_id uuid not null references teams on delete cascade,
  at timestamptz not null,
  kind text not null,
  actor_id uuid references users on delete set null,
  person_id uuid references users on delete set null,
  person_name text,
  value_before text,
  value_after text
);
create index team_changes_of_team on team_changes (team_id, id desc);
create index team_changes_by_time on team_changes (at);
create index team_changes_by_actor on team_changes (actor_id);
create index team_changes_of_person on team_changes (person_id);
