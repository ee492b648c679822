-- A search read everything that held its phrase, then asked who may see it: what others keep for themselves made it slower
-- (docs/decisions/0045-search-time.md). The indexes that are searched now hold whom a row is for, and hand out nothing else.
create function audience_of(author_id uuid, visibility text) returns text[]
  language sql immutable strict parallel safe
  return array[case when visibility = 'public' then 'public' else author_id::text || '/' || visibility end];

drop index revelations_by_title;
create index revelations_by_title on revelations
  using gin (audience_of(author_id, visibility), title_form gin_trgm_ops);

drop index letter_grams_by_gram;
alter table letter_grams add column audience text[] not null default '{}';
update letter_grams set audience = audience_of(author_id, visibility) from revelations where id = revelation_id;
create index letter_grams_by_gram on letter_grams using gin (audience, grams);

create function note_audience_of_grams() returns trigger language plpgsql as $$
begin
  new.audience := (select audience_of(author_id, visibility) from revelations where id = new.revelation_id);
  return new;
end $$;
create trigger note_audience before insert on letter_grams
  for each row execute function note_audience_of_grams();

create function note_changed_audience() returns trigger language plpgsql as $$
begin
  update letter_grams set audience = audience_of(new.author_id, new.visibility) where revelation_id = new.id;
  return null;
end $$;
create trigger note_changed_audience after update of visibility on revelations
  for each row when (old.visibility is distinct from new.visibility)
  execute function note_changed_audience();
