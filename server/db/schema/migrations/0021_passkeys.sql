-- The passkeys of a user, which sign in without a code.
create table passkeys (
  -- Chosen by the authenticator.
  credential_id bytea primary key,
  id uuid not null unique default gen_random_uuid(),
  user_id uuid not null references users (id) on delete cascade,
  -- COSE key.
  public_key bytea not null,
  -- Grows with each use of an authenticator that counts; 0 for the others.
  sign_count bigint not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index on passkeys (user_id);

-- Challenges that were answered with a valid signature, until they expire.
create table used_passkey_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz not null
);
