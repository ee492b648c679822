-- Who has the sealed page of a letter before them now, by person and page (docs/behaviour.md 4.8). Unlogged: a crash forgets
-- at most what the next seconds bring again. Room on each page of the table lets a row that is only seen again stay there.
create unlogged table waiting_readers (
  revelation_id uuid not null references revelations (id) on delete cascade,
  -- The account, the personal link, or a keyed hash of a visitor.
  person text not null,
  page uuid not null,
  -- Of whoever may be named to friends and family; others are only counted.
  user_id uuid references users (id) on delete cascade,
  -- Sees the letter as its addressee and not otherwise: named to nobody, not counted for the author.
  is_addressee_alone boolean not null,
  seen_at timestamptz not null,
  primary key (revelation_id, person, page)
) with (fillfactor = 50);

-- « Montrer à mes proches que j’attends une révélation ».
alter table notification_preferences add column show_presence boolean not null default true;
