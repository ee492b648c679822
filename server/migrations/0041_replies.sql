-- Private answers to the author of a letter, with or without an account (docs/behaviour.md 4.9). Each is sealed under a key
-- of its own, and goes with its letter. An addressee is a delivery and the address it had: another address is somebody else.
create table replies (
  id uuid primary key,
  revelation_id uuid not null references revelations on delete cascade,
  delivery_id uuid not null references deliveries on delete cascade,
  address text not null,
  address_key text not null,
  -- The account that wrote it; null by the personal link alone.
  writer_id uuid references users on delete cascade,
  -- Whether the author sees that account: the letter was sent to its own verified address.
  is_named boolean not null,
  wrapped_key bytea not null,
  sealed_content bytea,
  sealed_emoji bytea,
  media_id uuid unique references media,
  created_at timestamptz not null,
  read_at timestamptz,
  sealed_answer bytea,
  answered_at timestamptz,
  -- When operators took it out of sight.
  hidden_at timestamptz,
  check (num_nonnulls(sealed_content, sealed_emoji, media_id) > 0),
  check ((sealed_answer is null) = (answered_at is null)),
  check (writer_id is not null or not is_named)
);
create index replies_of_revelation on replies (revelation_id, created_at);
create index replies_by_delivery on replies (delivery_id);
create index replies_by_writer on replies (writer_id) where writer_id is not null;

-- What counts for the replies of a day: a reply that was deleted was sent all the same.
create table reply_uses (
  revelation_id uuid not null references revelations on delete cascade,
  address_key text not null,
  used_at timestamptz not null
);
create index reply_uses_of_addressee on reply_uses (revelation_id, address_key, used_at);

-- From whom an author takes no more replies, to any letter: an address, and the account that wrote from it.
create table reply_blocks (
  id uuid primary key default gen_random_uuid(),
  author_id uuid not null references users on delete cascade,
  address text not null,
  address_key text not null,
  writer_id uuid references users on delete set null,
  created_at timestamptz not null,
  unique (author_id, address_key)
);
create index reply_blocks_of_writer on reply_blocks (writer_id) where writer_id is not null;

-- A voice sent by a personal link has no owner, and is in nobody's plan. No reference, or tables would refer to each other
-- in a circle: what a deleted delivery sent is released with its reply, or swept unused.
alter table media
  alter column owner_id drop not null,
  add column delivery_id uuid,
  add check (num_nonnulls(owner_id, delivery_id) = 1);

-- A reply may be reported by the author it was written to.
alter table reports drop constraint reports_target_check;
alter table reports add constraint reports_target_check
  check (target in ('revelation', 'comment', 'profile', 'mail', 'reply'));
