-- The newest code of an address for one browser. Codes expire after ten minutes, so none is migrated.
drop table login_codes;
create table login_codes (
  email text not null,
  -- SHA-256 of the code cookie of the browser that requested the code.
  browser_hash bytea not null,
  -- Only a keyed HMAC of the code is stored.
  code_hmac bytea not null,
  first_name text,
  last_name text,
  tries integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (email, browser_hash)
);

-- Describes a login in its user's list of logins. A device has a name instead (logins.device).
alter table logins
  add browser text,
  add system text,
  -- Updated at most once an hour.
  add last_used_at timestamptz not null default now();
update logins set last_used_at = created_at;
