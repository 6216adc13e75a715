-- A television that shows the pit wall of one team. Its user is anonymous and belongs to no team; its rights end
-- with this row, and with the membership of whoever connected it.
create table televisions (
  user_id uuid primary key references users on delete cascade,
  team_id uuid not null references teams on delete cascade,
  name text not null,
  allowed_by uuid not null,
  created_at timestamptz not null,
  foreign key (team_id, allowed_by) references memberships (team_id, user_id) on delete cascade
);
create index televisions_of_member on televisions (team_id, allowed_by);

-- Everybody who may read a team: its members, and its televisions as viewers.
create view team_readers as
select user_id, team_id, role from team_access
union all
select v.user_id, v.team_id, 'viewer' as role
from televisions v
join teams t on t.id = v.team_id
where t.deleted_at is null;

-- The code on the screen of a television without a login. Only the browser with the secret collects the login.
create table television_codes (
  secret_hash bytea primary key,
  code text not null unique,
  browser text,
  system text,
  -- A keyed hash of its network.
  network text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Set once a member has entered the code.
  team_id uuid,
  allowed_by uuid,
  name text,
  foreign key (team_id, allowed_by) references memberships (team_id, user_id) on delete cascade
);
create index television_codes_by_expiry on television_codes (expires_at);
create index television_codes_of_member on television_codes (team_id, allowed_by);

-- A television is a browser, with the only right to read a wall.
alter table logins drop constraint scopes_of_device;
alter table logins
  add constraint scopes_of_device
  check (
    case
      when device is null then scopes is null or scopes = '{wall}'
      else scopes <@ '{drive,read,send}' and cardinality(scopes) > 0
    end
  );
