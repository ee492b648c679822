-- The days on which a delivery of whose opening nothing was told was gone back to (docs/behaviour.md 5.9): 7 and 60 days after it
-- left. A quiet opening has the same rows, without a mail: what its author is told hangs on them.
create table follow_ups (
  delivery_id uuid not null references deliveries on delete cascade,
  number smallint not null check (number in (1, 2)),
  at timestamptz not null,
  -- To its addressee.
  mail_id uuid unique references mails on delete set null,
  -- When its author was told, or was not to be.
  author_notified_at timestamptz,
  primary key (delivery_id, number)
);
create index follow_ups_unnotified on follow_ups (at) where author_notified_at is null;

-- The link that an author gives by hand. It has a key and a broken seal of its own: with the ones of the mailed link its author,
-- who holds it, would learn of an opening that was kept quiet.
create table handed_links (
  delivery_id uuid primary key references deliveries on delete cascade,
  key_hash bytea not null unique,
  handed_at timestamptz not null,
  seal_broken_at timestamptz
);
alter table saved_letters add column is_handed boolean not null default false;

-- An author is told of a letter twice: after seven and after sixty days.
drop index notifications_once;
create unique index notifications_once on notifications (revelation_id, kind, user_id)
  where kind in ('letter_waiting', 'letter_announced', 'revealed');
