-- Why a mail did not leave: what the mail server was to blame for can be queued again (npm run resend-failed-mails).
alter table mails add column failure text;
update mails set failure = case
  when last_error = 'suppressed' then 'suppressed'
  when last_error ~ '5[0-9][0-9][ -]5[.](1[.]([0-6]|10)|2[.]1)\M' then 'bad_address'
  else 'unexpected'
end
where state = 'failed';
