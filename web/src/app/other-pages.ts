import { matchPath } from 'react-router'
import type { PageHead } from '#web/lib/first-screen.ts'
import { paths } from './paths.ts'

interface OtherPage {
  pattern: string
  title?: string
  head?: PageHead
}

/** The pages that only browsers make, and what those know of them who only read their head: of most nothing. */
const OTHERS: OtherPage[] = [
  {
    pattern: paths.login,
    title: 'Connexion',
    head: {
      description:
        'Connectez-vous pour retrouver vos révélations, votre cercle et ce qui vous attend.',
      canonical: paths.login,
    },
  },
  {
    pattern: paths.register,
    title: 'Inscription',
    head: {
      description:
        'Créez votre compte et scellez votre première révélation\u00a0: une lettre, une prédiction ou une vidéo, jusqu’à la date de votre choix.',
      canonical: paths.register,
    },
  },
  {
    pattern: paths.proof,
    title: 'La preuve',
    head: {
      description:
        'Comment chacun peut vérifier qu’une révélation a été scellée quand elle le dit, et que rien n’y a changé depuis.',
      canonical: paths.proof,
    },
  },
  { pattern: paths.verification },
  { pattern: paths.forgottenPassword },
  { pattern: paths.newPassword },
  { pattern: paths.unsubscribe },
  { pattern: paths.reportMail },
  { pattern: paths.circle },
  { pattern: paths.sounds },
  { pattern: paths.subscription },
  { pattern: paths.create },
  { pattern: paths.edit(':id?') },
  { pattern: paths.profile(':id?') },
]

export function findOther({ pathname }: { pathname: string }): OtherPage | undefined {
  return OTHERS.find(({ pattern }) => matchPath(pattern, pathname))
}
