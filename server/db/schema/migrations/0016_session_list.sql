-- For the pages of all sessions of a team, newest start first.
create index sessions_of_team on sessions (team_id, date_started desc, id desc);
