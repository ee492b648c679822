-- What readers get of a picture: a copy without what a camera wrote into it (docs/behaviour.md 3.4).
alter table media_objects drop constraint media_objects_variant_check,
  add constraint media_objects_variant_check check (
    variant in (
      'original', 'mobile', 'teaser', 'thumbnail_teaser', 'thumbnail_complete', 'image', 'copy', 'audio', 'waveform',
      'seekable'
    )
  );

alter table media_steps drop constraint media_steps_type_check,
  add constraint media_steps_type_check
    check (type in ('teaser', 'thumbnails', 'mobile', 'image', 'copy', 'audio', 'document'));

-- Whether the step that renders it exists: pictures from before, and those that an older program still receives, wait in
-- the index until a worker has planned theirs.
alter table media add column is_copy_planned boolean not null default false;
create index media_without_copy on media (id) where kind = 'image' and not is_copy_planned;
