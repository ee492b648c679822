-- A word of the author for the mail that announces a letter, and one for the mail of its opening (docs/behaviour.md 3.9). Each is
-- ciphertext under a key of its own, so that the mail before the instant opens one of them and nothing else; both go with the letter.
create table letter_notes (
  revelation_id uuid not null references revelations on delete cascade,
  kind text not null check (kind in ('announcement', 'opening')),
  wrapped_key bytea not null,
  sealed_words bytea not null,
  primary key (revelation_id, kind)
);

-- Whether the letters of an account carry its address as the one to answer to: only when it says so.
alter table notification_preferences add column replies_by_email boolean not null default false;
