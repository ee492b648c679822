-- A letter that is revealed and public stands on an open page: it is searched in its own words, as its title is, instead of by
-- keyed pieces that a search has to open each time (docs/decisions/0086-public-letters-are-searched-as-they-are.md). The
-- worker moves what `letter_grams` has of public letters here.
create table public_letters (
  revelation_id uuid primary key references revelations on delete cascade,
  form text not null
);
create index public_letters_by_form on public_letters using gin (form gin_trgm_ops);
-- The samples of the planner would keep letters that are gone from the table.
alter table public_letters alter column form set statistics 0;

-- What the worker has to write again: pieces of before (« œ » is searched as « oe » in all letters now), and those of letters that
-- are public, which have none any more.
alter table letter_grams add column outdated boolean not null default true;
alter table letter_grams alter column outdated set default false;
create index letter_grams_outdated on letter_grams (revelation_id) where outdated;

create or replace function note_audience_of_grams() returns trigger language plpgsql as $$
begin
  new.audience := (select audience_of(author_id, visibility) from revelations where id = new.revelation_id);
  new.outdated := new.audience = '{public}';
  return new;
end $$;

create or replace function note_changed_audience() returns trigger language plpgsql as $$
begin
  update letter_grams set audience = audience_of(new.author_id, new.visibility), outdated = outdated or new.visibility = 'public'
  where revelation_id = new.id;
  return null;
end $$;
create trigger note_changed after insert or update or delete on public_letters
  for each statement execute function note_changed_words();

-- What is public no more leaves in the transaction that says so; the worker makes it searchable again for whoever may read it.
create function forget_public_letter() returns trigger language plpgsql as $$
begin
  delete from public_letters where revelation_id = new.id;
  if found then
    new.searchable := false;
  end if;
  return new;
end $$;
create trigger forget_public_letter before update of visibility on revelations
  for each row when (old.visibility = 'public' and new.visibility <> 'public')
  execute function forget_public_letter();

-- A letter that was revealed is changed no more, but by a clock that is behind: no index keeps what it said, or would say.
create function forget_changed_letter() returns trigger language plpgsql as $$
begin
  delete from public_letters where revelation_id = new.id;
  delete from letter_grams where revelation_id = new.id;
  new.searchable := false;
  return new;
end $$;
create trigger forget_changed_letter before update of commitment, reveal_at on revelations
  for each row when (old.searchable and (old.reveal_at, old.sealed_content) is distinct from (new.reveal_at, new.sealed_content))
  execute function forget_changed_letter();
