-- What everybody sees alike is answered from memory, which any write anywhere emptied. Each transaction now leaves here what it
-- changed of it, and a process reads what became visible since its last look
-- (docs/decisions/0083-memory-of-answers.md). A row is never updated: no two writers of letters wait for each other.
create table public_changes (
  xid xid8 not null default pg_current_xact_id(),
  -- 'row': answers that show the row; 'order': also what is sorted by reactions; 'list': also every list;
  -- 'words': searches alone; 'everything': all, as earlier changes are no longer here.
  scope text not null check (scope in ('row', 'order', 'list', 'words', 'everything')),
  -- Of a revelation, a file or an account; null for what is about no row that an answer can show.
  row_id uuid
);
create index public_changes_by_xid on public_changes (xid);

create function note_added_revelations() returns trigger language plpgsql as $$
begin
  insert into public_changes (scope) select 'list' where exists (select from added where visibility = 'public');
  return null;
end $$;
create trigger note_added after insert on revelations
  referencing new table as added for each statement execute function note_added_revelations();

create function note_removed_revelations() returns trigger language plpgsql as $$
begin
  insert into public_changes (scope, row_id) select 'list', id from removed where visibility = 'public';
  return null;
end $$;
create trigger note_removed after delete on revelations
  referencing old table as removed for each statement execute function note_removed_revelations();

create function note_changed_revelation() returns trigger language plpgsql as $$
begin
  insert into public_changes (scope, row_id) values (
    case
      -- Not by the mark of the worker: lists are the same before and after it.
      when (old.author_id, old.visibility, old.category, old.kind, old.created_at, old.reveal_at, old.hidden_at, old.outcome)
        is distinct from (new.author_id, new.visibility, new.category, new.kind, new.created_at, new.reveal_at, new.hidden_at,
          new.outcome) then 'list'
      when old.reactions_count <> new.reactions_count then 'order'
      else 'row'
    end,
    new.id
  );
  return null;
end $$;
create trigger note_changed after update on revelations
  for each row when (old.visibility = 'public' or new.visibility = 'public')
  execute function note_changed_revelation();

-- Whatever letter they are of, and whether it is public: another transaction may be making it so.
create function note_changed_letters() returns trigger language plpgsql as $$
begin
  insert into public_changes (scope, row_id) select distinct 'row', revelation_id from changed;
  return null;
end $$;
create trigger note_added after insert on deliveries
  referencing new table as changed for each statement execute function note_changed_letters();
create trigger note_changed after update on deliveries
  referencing new table as changed for each statement execute function note_changed_letters();
create trigger note_removed after delete on deliveries
  referencing old table as changed for each statement execute function note_changed_letters();
create trigger note_added after insert on revelation_files
  referencing new table as changed for each statement execute function note_changed_letters();
create trigger note_changed after update on revelation_files
  referencing new table as changed for each statement execute function note_changed_letters();
create trigger note_removed after delete on revelation_files
  referencing old table as changed for each statement execute function note_changed_letters();

create function note_changed_files() returns trigger language plpgsql as $$
begin
  insert into public_changes (scope, row_id) select distinct 'row', media_id from changed;
  return null;
end $$;
create trigger note_added after insert on media_objects
  referencing new table as changed for each statement execute function note_changed_files();
create trigger note_changed after update on media_objects
  referencing new table as changed for each statement execute function note_changed_files();
create trigger note_removed after delete on media_objects
  referencing old table as changed for each statement execute function note_changed_files();

create function note_changed_rows() returns trigger language plpgsql as $$
begin
  insert into public_changes (scope, row_id) select distinct 'row', id from changed;
  return null;
end $$;
create trigger note_changed after update on media
  referencing new table as changed for each statement execute function note_changed_rows();
create trigger note_removed after delete on media
  referencing old table as changed for each statement execute function note_changed_rows();

create function note_changed_author() returns trigger language plpgsql as $$
begin
  insert into public_changes (scope, row_id) values ('row', new.id);
  return null;
end $$;
create trigger note_changed after update of pseudo, avatar_url on users
  for each row when ((old.pseudo, old.avatar_url) is distinct from (new.pseudo, new.avatar_url))
  execute function note_changed_author();

-- An account that is deleted leaves nothing, its number included.
create function note_removed_authors() returns trigger language plpgsql as $$
begin
  delete from public_changes where row_id in (select id from removed);
  insert into public_changes (scope) values ('everything');
  return null;
end $$;
create trigger note_removed after delete on users
  referencing old table as removed for each statement execute function note_removed_authors();

create function note_changed_words() returns trigger language plpgsql as $$
begin
  insert into public_changes (scope) values ('words');
  return null;
end $$;
create trigger note_changed after insert or update or delete on letter_grams
  for each statement execute function note_changed_words();
