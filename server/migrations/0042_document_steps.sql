alter table media_steps drop constraint media_steps_type_check,
  add constraint media_steps_type_check
    check (type in ('teaser', 'thumbnails', 'mobile', 'image', 'audio', 'document'));
