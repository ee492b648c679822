-- Mails to send. A row commits with the change that caused it; the text and the address are read when it leaves.
create table mails (
  id uuid primary key default gen_random_uuid(),
  template text not null,
  subject_id uuid not null,
  state text not null check (state in ('queued', 'sent', 'failed')),
  attempts integer not null default 0,
  first_tried_at timestamptz,
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz
);

-- The delivery of a revelation at its instant. The personal key is derived, never stored: only its hash is.
-- mail_id is the mail that carries it; a mail that no delivery names any more is not sent.
create table deliveries (
  id uuid primary key default gen_random_uuid(),
  revelation_id uuid not null unique references revelations on delete cascade,
  due_at timestamptz not null,
  state text not null check (state in ('planned', 'queued', 'sent', 'failed')),
  mail_id uuid unique references mails on delete set null,
  error text,
  key_hash bytea not null unique,
  revoked_at timestamptz,
  sent_at timestamptz,
  opened_at timestamptz,
  notified_at timestamptz
);
create index deliveries_due on deliveries (due_at) where state = 'planned';
