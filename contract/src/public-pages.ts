/** The pages that are the same for everybody, and of use to whoever searches: the addresses that `robots` may list. */
export const PUBLIC_PAGES = [
  '/',
  '/demo',
  '/predictions',
  '/preuve',
  '/legal',
  '/confidentialite',
  '/conditions',
  '/accessibilite',
  '/login',
  '/register',
]
