-- The newest code of an address for one browser. Codes live for ten minutes, so none is carried over.
drop table login_codes;
create table login_codes (
  email text not null,
  -- SHA-256 of the code cookie of the browser that asked.
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

-- What a person recognises a login by, to end it. A device has a name instead (logins.device).
alter table logins
  add browser text,
  add system text,
  -- Written at most once an hour.
  add last_used_at timestamptz not null default now();
update logins set last_used_at = created_at;
