import type { RecordingEnd } from './voice-recorder.ts'

export const NOT_KEPT =
  'Cet appareil ne peut pas garder l’enregistrement\u00A0: il n’existe que dans cette page. Envoyez-le avant de la quitter.'

/** Why a recording ended by itself. */
export const END_NOTES: Record<RecordingEnd, string | undefined> = {
  asked: undefined,
  full: 'L’enregistrement a atteint la taille la plus grande (50\u00A0Mo) et s’est arrêté. Tout ce que vous avez dit est gardé.',
  microphone:
    'Le microphone a été coupé. Ce que vous avez dit jusque-là est gardé\u00A0: vous pouvez l’envoyer.',
}
