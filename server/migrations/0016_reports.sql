-- What people report, and what became of it. The subject may be gone: the report stays until it is closed.
create table reports (
  id uuid primary key default gen_random_uuid(),
  target text not null check (target in ('revelation', 'comment', 'profile', 'mail')),
  target_id uuid not null,
  reason text not null,
  message text not null default '',
  reporter_id uuid references users on delete cascade,
  -- A visitor's address, if they want to be told; forgotten once they are.
  reporter_email text,
  state text not null default 'open' check (state in ('open', 'closed')),
  outcome text check (outcome in ('hidden', 'kept')),
  closing_reason text,
  created_at timestamptz not null,
  closed_at timestamptz
);
create index reports_open on reports (created_at) where state = 'open';
create unique index reports_once on reports (target, target_id, reporter_id) where state = 'open';
create index reports_by_reporter on reports (reporter_id);

-- Hiding makes a revelation private and remembers what it was: every list, count and gate follows as it is.
alter table revelations
  add column hidden_at timestamptz,
  add column visibility_before_hiding text
    check (visibility_before_hiding in ('public', 'friends', 'family', 'private'));
alter table comments add column hidden_at timestamptz;
alter table users add column hidden_at timestamptz;

-- What operators did to what is not theirs: append only.
create table audit_log (
  id bigint generated always as identity primary key,
  operator text not null,
  action text not null,
  target text not null,
  target_id uuid not null,
  reason text not null,
  at timestamptz not null
);
create index audit_log_by_target on audit_log (target_id);
