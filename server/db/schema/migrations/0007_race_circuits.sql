-- The circuit that a team has chosen for a prepared race. Shipped circuits are not stored.
alter table races add column circuit_id text check (circuit_id ~ '^[a-z0-9-]{1,40}$');
