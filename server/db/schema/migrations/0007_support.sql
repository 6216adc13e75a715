-- The audit log of requests by support agents and their answers. Entries outlive their users.
create table support_audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  event text not null,
  visit_id text,
  visitor_id uuid references users on delete set null,
  agent_id uuid references users on delete set null
);
create index support_audit_by_time on support_audit (at);

-- A usability test: tasks that users are asked to try in the app.
create table support_tests (
  id integer generated always as identity primary key,
  title text not null,
  guidelines text not null,
  -- [{title, description, allowTyping}], as in the contract.
  tasks jsonb not null,
  created_by uuid references users on delete set null,
  created_at timestamptz not null default now()
);

-- A user's progress in a test: the newest time counts. Task 0 is the test as a whole.
create table support_signals (
  test_id integer not null references support_tests on delete cascade,
  user_id uuid not null references users on delete cascade,
  task integer not null,
  status text not null check (status in ('begin', 'done', 'skipped')),
  duration_ms integer not null,
  answer text,
  at timestamptz not null default now(),
  primary key (test_id, user_id, task, status)
);
