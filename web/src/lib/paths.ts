import type { Kind } from '#contract/kinds.ts'

/** Every address of the pages, in one place. `pattern` is for the router, the function for links. */
export const paths = {
  home: '/',
  demo: '/demo',
  login: '/login',
  register: '/register',
  /** The same, on the way to a first letter. */
  registerToWrite: '/register?ecrire',
  verification: '/verification',
  forgottenPassword: '/mot-de-passe-oublie',
  newPassword: '/nouveau-mot-de-passe',
  unsubscribe: '/ne-plus-recevoir',
  reportMail: '/signaler',
  create: '/create',
  /** The same, of a kind to begin with. */
  createOf: (kind: Kind) => `/create?genre=${kind}`,
  /** The same, for one’s family to begin with. */
  deliver: '/create?visibilite=family',
  predictions: '/predictions',
  /** What one person predicted and has opened. */
  predictionsOf: (userId: string) =>
    `/predictions?onglet=devoilees&auteur=${encodeURIComponent(userId)}`,
  legal: '/legal',
  privacy: '/confidentialite',
  terms: '/conditions',
  accessibility: '/accessibilite',
  proof: '/preuve',
  ownProfile: '/profile',
  ownSettings: '/profile?onglet=parametres',
  notificationSettings: '/profile?onglet=parametres#notifications',
  ownRelations: '/profile?onglet=relations',
  notifications: '/notifications',
  received: '/received',
  /** The personal links that are kept on this device. */
  deviceLetters: '/mes-lettres',
  circle: '/family',
  subscription: '/subscription',
  statistics: '/statistiques',
  sounds: '/family-sound',
  /** The recorder, with that person of the circle chosen. */
  recordFor: (userId: string) => `/family-sound?pour=${encodeURIComponent(userId)}`,
  revelation: (id: string) => `/revelation/${id}`,
  edit: (id: string) => `/edit/${id}`,
  profile: (id: string) => `/profile/${id}`,
} as const
