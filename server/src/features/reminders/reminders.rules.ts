const A_DAY_MS = 24 * 3_600_000

/** When a reminder is due next: the day before, or once less than a day remains, at the instant. */
export interface NextReminder {
  stage: 'day_before' | 'instant'
  dueAt: Date
}

export function nextReminder(revealAt: Date, now: Date): NextReminder {
  const dayBefore = new Date(revealAt.getTime() - A_DAY_MS)
  return dayBefore.getTime() > now.getTime()
    ? { stage: 'day_before', dueAt: dayBefore }
    : { stage: 'instant', dueAt: revealAt }
}

/** Whether « bientôt » is true: open within a day, and not yet. */
export function isDayBefore(revealAt: Date, now: Date): boolean {
  const leftMs = revealAt.getTime() - now.getTime()
  return leftMs > 0 && leftMs <= A_DAY_MS
}
