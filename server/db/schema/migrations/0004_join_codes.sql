-- A person who joined a team by a member's code, without an e-mail: signed in on one device until they add an e-mail or
-- a passkey.
alter table users
  add column joined boolean not null default false,
  add constraint users_joined_check check (not joined or email is null);

-- The code that a member shows so that others join the team. It ends with the membership of whoever shows it.
create table join_codes (
  id uuid primary key default gen_random_uuid(),
  team_id uuid not null,
  shown_by uuid not null,
  code text not null unique,
  role text not null check (role in ('member', 'viewer')),
  -- Each person waits until a member lets them in.
  asks boolean not null,
  uses integer not null default 0,
  max_uses integer not null,
  created_at timestamptz not null,
  -- Also the time at which a member stopped it.
  expires_at timestamptz not null,
  check (uses between 0 and max_uses),
  foreign key (team_id, shown_by) references memberships (team_id, user_id) on delete cascade
);
create index join_codes_of_member on join_codes (team_id, shown_by);
create index join_codes_by_expiry on join_codes (expires_at);

-- A person who waits to be let in.
create table join_requests (
  team_id uuid not null references teams on delete cascade,
  user_id uuid not null references users on delete cascade,
  code_id uuid not null references join_codes on delete cascade,
  -- The member without an e-mail who they say they are.
  takes_over uuid references users on delete cascade,
  created_at timestamptz not null,
  primary key (team_id, user_id)
);
create index join_requests_of_user on join_requests (user_id);
create index join_requests_of_code on join_requests (code_id);
create index join_requests_taking_over on join_requests (takes_over);
