/** The text of the live letter, in a file of its own that loads at its instant and not before. */
export const LIVE_LETTER =
  'Vous nous le demandez depuis des mois, et nous avons tenu bon. Elle est née ce matin, avec le soleil. Trois kilos deux, les yeux grands ouverts. Elle s’appelle Aurore.'
