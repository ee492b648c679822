import { keptOnDevice } from './kept-on-device.ts'
import { revelationDraftSchema } from './revelation-draft.ts'

/** What this account was writing on this device. */
export const storedDraft = keptOnDevice(
  '',
  (stored) => revelationDraftSchema.safeParse(stored).data,
)
