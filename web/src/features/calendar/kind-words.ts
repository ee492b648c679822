import type { EventType } from '#contract/calendar.ts'
import type { EntryKind } from './day-entries.ts'

export const TYPE_WORDS: Record<EventType, string> = {
  birthday: 'Anniversaire',
  anniversary: 'Fête ou souvenir',
  holiday: 'Férié ou vacances',
  other: 'Autre',
}

/** In few words, where room is dear. */
export const KIND_WORDS: Record<EntryKind, string> = {
  birthday: 'Anniversaire',
  anniversary: 'Fête, souvenir',
  holiday: 'Férié, vacances',
  other: 'Autre événement',
  sealed: 'Scellée',
  opened: 'Dévoilée',
}
