-- Tries of passwords are counted before they are made, so that those sent all at once, to whichever process, are counted like
-- those sent in turn; rows per failure could only be counted afterwards. Nobody is locked out by strangers: what signed in
-- before is counted apart, and an account that is locked is mailed a link.

-- Tries within a window, right ones given back. Unlogged: a crash forgets at most the tries of a window.
create unlogged table password_tries (
  -- A keyed hash of a network, an address, a network of an account or a session: a dump tells none of them.
  subject bytea primary key,
  tries integer not null,
  ends_at timestamptz not null
);
create index password_tries_ended on password_tries (ends_at);

drop table sign_in_failures;

-- Networks that signed in to an account, the last of them only.
create table sign_in_networks (
  -- A keyed hash of account and network: two accounts of one household have nothing in common.
  network bytea primary key,
  user_id uuid not null references users on delete cascade,
  seen_at timestamptz not null
);
create index sign_in_networks_by_user on sign_in_networks (user_id, seen_at);

-- When it was last mailed that tries had locked the account.
alter table users add column lock_mailed_at timestamptz;

-- Whether a link was asked for by somebody who forgot the password, or is due because tries locked the address.
alter table password_requests
  add column reason text not null default 'forgotten' check (reason in ('forgotten', 'locked'));

-- When the address was ended by what signs a person out everywhere: its owner is told until another is made.
alter table calendar_feeds add column ended_at timestamptz;
