-- What is said in the film or recording of a letter, as captions or plain words (docs/behaviour.md 3.4): ciphertext under the
-- key of the letter, which goes with the file.
alter table revelations
  add column sealed_file_words bytea,
  add check (sealed_file_words is null or media_id is not null);
