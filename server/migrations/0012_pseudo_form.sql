-- A search that walks a list compares the pseudo of each author: its form is kept, like that of titles.
alter table users add column pseudo_form text generated always as (search_form(pseudo)) stored;
