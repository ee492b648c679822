-- An address in letters (`a@élan.fr`) and its ASCII form (`a@xn--lan-9la.fr`) are one mailbox: both now have the key of the
-- ASCII form (RFC 3492), and the keys written before follow. Where both forms have an account, each keeps its own.
create function pg_temp.ascii_label(label text) returns text language plpgsql as $$
declare
  digits constant text := 'abcdefghijklmnopqrstuvwxyz0123456789';
  points integer[] := array(
    select ascii(letter) from string_to_table(label, null) with ordinality as letters (letter, place)
    order by place
  );
  written text := (
    select coalesce(string_agg(letter, '' order by place), '')
    from string_to_table(label, null) with ordinality as letters (letter, place)
    where ascii(letter) < 128
  );
  basic integer := length(written);
  handled integer := basic;
  n integer := 128;
  delta integer := 0;
  bias integer := 72;
  point integer;
  lowest integer;
  q integer;
  k integer;
  t integer;
begin
  if handled = cardinality(points) then return label; end if;
  if basic > 0 then written := written || '-'; end if;
  while handled < cardinality(points) loop
    lowest := (select min(each) from unnest(points) as each where each >= n);
    delta := delta + (lowest - n) * (handled + 1);
    n := lowest;
    foreach point in array points loop
      if point < n then delta := delta + 1; end if;
      if point = n then
        q := delta;
        k := 36;
        loop
          t := greatest(1, least(26, k - bias));
          exit when q < t;
          written := written || substr(digits, t + (q - t) % (36 - t) + 1, 1);
          q := (q - t) / (36 - t);
          k := k + 36;
        end loop;
        written := written || substr(digits, q + 1, 1);
        delta := case when handled = basic then delta / 700 else delta / 2 end;
        delta := delta + delta / (handled + 1);
        k := 0;
        while delta > 455 loop
          delta := delta / 35;
          k := k + 36;
        end loop;
        bias := k + 36 * delta / (delta + 38);
        delta := 0;
        handled := handled + 1;
      end if;
    end loop;
    delta := delta + 1;
    n := n + 1;
  end loop;
  return 'xn--' || written;
end $$;

create function pg_temp.ascii_key(email_key text) returns text language sql as $$
  select split_part(email_key, '@', 1) || '@' || string_agg(pg_temp.ascii_label(label), '.' order by place)
  from string_to_table(split_part(email_key, '@', 2), '.') with ordinality as labels (label, place)
$$;

update users set email_key = pg_temp.ascii_key(email_key)
where email_key ~ '[^\u0001-\u007F]' and not exists (
  select from users as other where other.email_key = pg_temp.ascii_key(users.email_key)
);
update revelations set target_email_key = pg_temp.ascii_key(target_email_key)
where target_email_key ~ '[^\u0001-\u007F]';
update revelations set second_email_key = pg_temp.ascii_key(second_email_key)
where second_email_key ~ '[^\u0001-\u007F]';
update account_links set email_key = pg_temp.ascii_key(email_key)
where email_key ~ '[^\u0001-\u007F]';
update password_requests set email_key = pg_temp.ascii_key(email_key)
where email_key ~ '[^\u0001-\u007F]';
