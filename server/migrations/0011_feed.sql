-- The form that searches compare is kept, so that looking at a title costs no unaccent() (decision 10).
drop index revelations_by_title;
alter table revelations add column title_form text generated always as (search_form(title)) stored;
create index revelations_by_title on revelations using gin (title_form gin_trgm_ops);

-- A counter that changes rewrites the row: with room on its page, no index learns of it.
alter table revelations set (fillfactor = 85);

-- Lists read their pages from these in order and stop. `searchable` is « revealed » as the worker last noted it; the
-- few rows it is wrong about are found by revelations_by_state.
drop index revelations_newest;
drop index revelations_by_author;
drop index revelations_to_index;
create index revelations_by_state on revelations (searchable, reveal_at);
create index revelations_unindexed_of_author on revelations (author_id, created_at desc)
  where not searchable;
create index revelations_of_author on revelations (author_id, visibility, created_at desc, id desc);
create index revelations_of_author_by_reveal on revelations (author_id, visibility, reveal_at, id)
  include (category);
create index revelations_public_newest_by_state
  on revelations (searchable, created_at desc, id desc) where visibility = 'public';
create index revelations_public_newest_by_category
  on revelations (category, searchable, created_at desc, id desc) where visibility = 'public';
create index revelations_public_by_reveal
  on revelations (reveal_at, id) where visibility = 'public';
create index revelations_public_by_category
  on revelations (category, reveal_at, id) where visibility = 'public';
create index revelations_public_popular
  on revelations (searchable, reactions_count desc, id desc) where visibility = 'public';
create index revelations_public_popular_by_category
  on revelations (category, searchable, reactions_count desc, id desc) where visibility = 'public';

-- How many public revelations there are: what was counted, and the changes since. Writers only ever add a change, so
-- none waits for another; the worker adds them up. `revealed` counts those whose instant had come at `counted_until`.
create table public_counts (
  category text primary key,
  found bigint not null,
  revealed bigint not null
);
create table public_counts_until (
  only_row boolean primary key default true check (only_row),
  counted_until timestamptz not null
);
create table public_count_changes (
  category text not null,
  reveal_at timestamptz not null,
  change integer not null
);
insert into public_counts_until (counted_until) values ('-infinity');
insert into public_counts (category, found, revealed)
  select category, count(*), 0 from revelations where visibility = 'public' group by category;

create function count_added_revelations() returns trigger language plpgsql as $$
begin
  insert into public_count_changes (category, reveal_at, change)
    select category, reveal_at, count(*) from added
    where visibility = 'public' group by category, reveal_at;
  return null;
end $$;

create function count_removed_revelations() returns trigger language plpgsql as $$
begin
  insert into public_count_changes (category, reveal_at, change)
    select category, reveal_at, -count(*) from removed
    where visibility = 'public' group by category, reveal_at;
  return null;
end $$;

create function count_changed_revelation() returns trigger language plpgsql as $$
begin
  insert into public_count_changes (category, reveal_at, change)
    select category, reveal_at, change from (
      values (old.visibility, old.category, old.reveal_at, -1), (new.visibility, new.category, new.reveal_at, 1)
    ) as both_rows (visibility, category, reveal_at, change)
    where visibility = 'public';
  return null;
end $$;

create trigger count_added after insert on revelations
  referencing new table as added for each statement execute function count_added_revelations();
create trigger count_removed after delete on revelations
  referencing old table as removed for each statement execute function count_removed_revelations();
create trigger count_changed after update of visibility, category, reveal_at on revelations
  for each row when (
    (old.visibility, old.category, old.reveal_at) is distinct from (new.visibility, new.category, new.reveal_at)
  )
  execute function count_changed_revelation();
