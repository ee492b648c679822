-- People are searched while somebody types, from the first letter on: what begins with it first, in order, then what
-- holds it somewhere. Trigrams know nothing of one or two letters, nor of _ and -: these pieces do. Making them costs
-- much more than a function usually does, which the planner must know to prefer the index.
create function search_pieces(text) returns text[]
  language sql immutable strict parallel safe cost 1000
  return (
    select array_agg(distinct substr(form, place, size))
    from (select public.search_form($1) as form) as searched,
      generate_series(1, length(form)) as place,
      generate_series(1, 3) as size
  );

create index users_by_pseudo_form on users ((search_form(pseudo) collate "C"));
-- People search more often than they register: nothing waits to be put in its place.
create index users_by_pseudo_pieces on users using gin (search_pieces(pseudo)) with (fastupdate = off);
