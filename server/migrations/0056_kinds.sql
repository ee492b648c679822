-- What an author seals it as (decision 73). A letter to oneself alone is a capsule. What was public becomes an announcement: nobody
-- had said that it was to be judged, unless its author declared an outcome or somebody voted. The votes that are there decide, not
-- their counters. What was judged and narrowed since is a prediction too, or its failure would leave the record.
alter table revelations add column kind text;
update revelations set kind = case
  when outcome is not null
    or exists (select from prediction_votes where prediction_votes.revelation_id = revelations.id) then 'prediction'
  when coalesce(visibility_before_hiding, visibility) = 'public' then 'announcement'
  when exists (
    select from deliveries join users on users.id = revelations.author_id
    where deliveries.revelation_id = revelations.id and deliveries.address_key <> users.email_key
  ) then 'letter'
  else 'capsule' end;
-- No default: an older program that still runs is refused, and seals nothing without a kind.
alter table revelations
  alter column kind set not null,
  add constraint revelations_kind_check check (kind in ('letter', 'prediction', 'capsule', 'announcement'));
-- Only predictions are in an author’s record.
update revelations set record_state = 'none' where kind <> 'prediction' and record_state <> 'none';

-- Lists of one kind read their pages from these in order and stop, as those of a category do (migration 0011).
create index revelations_public_newest_by_kind
  on revelations (kind, searchable, created_at desc, id desc) where visibility = 'public';
create index revelations_public_by_kind
  on revelations (kind, reveal_at, id) where visibility = 'public';
create index revelations_public_by_kind_and_category
  on revelations (kind, category, reveal_at, id) where visibility = 'public';
drop index revelations_of_author_by_reveal;
create index revelations_of_author_by_reveal on revelations (author_id, visibility, reveal_at, id)
  include (category, kind);

-- The public ones are counted by category and kind, from the beginning: the worker adds the reveals up again.
drop trigger count_changed on revelations;
truncate public_count_changes;
truncate public_counts;
alter table public_count_changes add column kind text not null;
alter table public_counts drop constraint public_counts_pkey;
alter table public_counts add column kind text not null, add primary key (category, kind);
update public_counts_until set counted_until = '-infinity';
insert into public_counts (category, kind, found, revealed)
  select category, kind, count(*), 0 from revelations where visibility = 'public' group by category, kind;

create or replace function count_added_revelations() returns trigger language plpgsql as $$
begin
  insert into public_count_changes (category, kind, reveal_at, change)
    select category, kind, reveal_at, count(*) from added
    where visibility = 'public' group by category, kind, reveal_at;
  return null;
end $$;

create or replace function count_removed_revelations() returns trigger language plpgsql as $$
begin
  insert into public_count_changes (category, kind, reveal_at, change)
    select category, kind, reveal_at, -count(*) from removed
    where visibility = 'public' group by category, kind, reveal_at;
  return null;
end $$;

create or replace function count_changed_revelation() returns trigger language plpgsql as $$
begin
  insert into public_count_changes (category, kind, reveal_at, change)
    select category, kind, reveal_at, change from (
      values (old.visibility, old.category, old.kind, old.reveal_at, -1),
        (new.visibility, new.category, new.kind, new.reveal_at, 1)
    ) as both_rows (visibility, category, kind, reveal_at, change)
    where visibility = 'public';
  return null;
end $$;

create trigger count_changed after update of visibility, category, kind, reveal_at on revelations
  for each row when (
    (old.visibility, old.category, old.kind, old.reveal_at)
      is distinct from (new.visibility, new.category, new.kind, new.reveal_at)
  )
  execute function count_changed_revelation();

do $$
declare told text;
begin
  select string_agg(kind || ' ' || number, ', ' order by kind) into told
    from (select kind, count(*) as number from revelations group by kind) as counted;
  raise notice 'kinds of existing revelations: %', coalesce(told, 'none');
end $$;
