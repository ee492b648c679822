-- The files of a letter that has several, in its author's order (docs/behaviour.md 3.4). The first of them stands in
-- `revelations.media_id` too, and is all that a letter with one file has: nothing that exists changes its form.
create table revelation_files (
  revelation_id uuid not null references revelations on delete cascade,
  position smallint not null check (position between 0 and 29),
  media_id uuid not null unique references media,
  primary key (revelation_id, position)
);

alter table revelations
  -- Whether the table above has its files: without it, reading a list would look there for each letter.
  add column is_album boolean not null default false,
  -- Ciphertext under the key of the letter, like its text.
  add column sealed_captions bytea,
  add check (media_id is not null or not is_album),
  add check (media_id is not null or sealed_captions is null);
