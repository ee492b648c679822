-- A search that walks a list compares the pseudo of each author: its form is kept, like that of titles, and the indexes
-- are of what is kept.
drop index users_by_pseudo_part;
drop index users_by_pseudo_form;
alter table users add column pseudo_form text generated always as (search_form(pseudo)) stored;
create index users_by_pseudo_part on users using gin (pseudo_form gin_trgm_ops);
create index users_by_pseudo_form on users (pseudo_form collate "C");
