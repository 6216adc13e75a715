-- Presence follows the live connections.
alter table users drop column status, drop column active_team_id;
