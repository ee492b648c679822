/** What a checkpoint from elsewhere turned out to be. */
export type Outcome = 'contained' | 'forked' | 'not_signed' | 'unreadable' | 'unanswered'

interface Words {
  tone: 'success' | 'error' | 'warning'
  title: string
  sentence: string
}

export const COMPARISONS: Readonly<Record<Outcome, Words>> = {
  contained: {
    tone: 'success',
    title: 'Le journal n’a pas été réécrit.',
    sentence: 'Celui d’aujourd’hui contient, inchangé, tout ce que ce point de contrôle couvrait.',
  },
  forked: {
    tone: 'error',
    title: 'Ces deux points de contrôle ne peuvent pas appartenir au même journal.',
    sentence:
      'Tous deux sont signés, mais l’un ne prolonge pas l’autre\u00A0: le passé du journal a été réécrit. Gardez ce mail.',
  },
  not_signed: {
    tone: 'error',
    title: 'Ce point de contrôle ne porte pas la signature du journal.',
    sentence: 'Il a été modifié, copié en partie, ou vient d’un autre journal.',
  },
  unreadable: {
    tone: 'warning',
    title: 'Aucun point de contrôle dans ce texte.',
    sentence: 'Copiez les quatre lignes du bas du mail, de la première à la signature.',
  },
  unanswered: {
    tone: 'warning',
    title: 'Le journal n’a pas répondu.',
    sentence:
      'Ce point de contrôle est bien signé\u00A0; ce qui le relie à aujourd’hui n’a pas pu être demandé.',
  },
}
