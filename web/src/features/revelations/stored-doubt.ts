import { keptOnDevice } from './kept-on-device.ts'
import type { Doubt } from './seal-once.ts'

export const storedDoubt = keptOnDevice('doubt:', (stored): Doubt | undefined => {
  const { title, content, sinceMs } = stored as Partial<Doubt>
  if (title === undefined || content === undefined || sinceMs === undefined) return undefined
  return { title, content, sinceMs }
})
