-- For the list of a team's last ended sessions.
create index sessions_ended_of_team on sessions (team_id, date_ended desc) where status = 'Complete';
