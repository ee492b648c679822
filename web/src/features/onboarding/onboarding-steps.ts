interface Step {
  title: string
  words: string
}

/** In the order of behaviour.md 1.3. */
export const STEPS: readonly Step[] = [
  {
    title: 'Bienvenue',
    words:
      'Ici, ce que vous écrivez attend son heure. Voici, en moins d’une minute, ce que vous pouvez confier à la nuit.',
  },
  {
    title: 'Prédictions publiques',
    words:
      'Dites avant tout le monde ce qui va arriver. Le jour venu, chacun lit ce que vous aviez scellé, et juge.',
  },
  {
    title: 'Livraisons privées',
    words:
      'Une lettre, une vidéo, un document pour une personne, à la date choisie. Elle reçoit un lien à elle, même sans compte.',
  },
  {
    title: 'Capsules temporelles',
    words:
      'Écrivez à la personne que vous serez dans un an, ou dans dix. Vous la recevrez ce jour-là, comme venue de loin.',
  },
  {
    title: 'Vos proches',
    words:
      'Vos amis et votre famille voient ce que vous leur réservez. Le Cercle Privé garde vos voix, vos dates et vos lettres.',
  },
  {
    title: 'Comment ça marche',
    words:
      'Écrivez, choisissez le jour, scellez. À l’heure dite, la lettre s’ouvre toute seule et son destinataire est prévenu.',
  },
  {
    title: 'À vous',
    words:
      'Commencez petit\u00A0: trois lignes pour vous-même, à ouvrir dans un mois. Elles n’attendent que leur jour.',
  },
]
