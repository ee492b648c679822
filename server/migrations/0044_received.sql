-- A letter that was joined to an account by its personal link, until that very link is revoked (docs/behaviour.md 4.11). The
-- references are in the order in which a letter, its delivery and an account are locked to be deleted.
create table saved_letters (
  revelation_id uuid not null references revelations on delete cascade,
  delivery_id uuid not null references deliveries on delete cascade,
  user_id uuid not null references users on delete cascade,
  -- Of the key it was joined by: the next one is another’s.
  key_version integer not null,
  saved_at timestamptz not null,
  primary key (user_id, revelation_id)
);
create index saved_letters_by_delivery on saved_letters (delivery_id);
create index saved_letters_of_revelation on saved_letters (revelation_id);

-- What is addressed to somebody is found by either address.
create index revelations_by_second_addressee on revelations (second_email_key)
  where second_email_key is not null;

-- « Ce jour-là »: what opened on this day of earlier years.
alter table notification_preferences add column on_this_day boolean not null default true;
