-- A team looks at the last of its sessions that have ended.
create index sessions_ended_of_team on sessions (team_id, date_ended desc) where status = 'Complete';
