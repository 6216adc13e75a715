-- A viewer sees everything of the team and changes nothing. The owner is `teams.owner_id`, never a viewer.
alter table team_access add role text not null default 'member' check (role in ('member', 'viewer'));

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
