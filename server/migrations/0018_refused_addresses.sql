-- Addresses whose reader said that this account is not theirs: no link to prove them is mailed for it any more.
alter table users add column refused_email_keys text[] not null default '{}';

-- Whoever deletes their account is forgotten in what they reported without it, however they wrote their address.
alter table reports add column reporter_email_key text;
update reports set reporter_email_key = lower(normalize(reporter_email, NFC))
where reporter_email is not null;
