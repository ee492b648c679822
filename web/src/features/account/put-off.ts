const KEY = 'verification-put-off'

/** This account does not want to be reminded of its address today, on this device. */
export function putOffToday(userId: string): void {
  localStorage.setItem(KEY, mark(userId))
}

export function isPutOffToday(userId: string): boolean {
  return localStorage.getItem(KEY) === mark(userId)
}

function mark(userId: string): string {
  return `${userId} ${new Date().toDateString()}`
}
