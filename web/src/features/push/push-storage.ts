const KEY = 'push_told'

/** The account and endpoint that this browser registered last. */
interface PushRegistration {
  userId: string
  endpoint: string
}

export function loadPushRegistration(): PushRegistration | undefined {
  return JSON.parse(localStorage.getItem(KEY) ?? 'null') ?? undefined
}

export function storePushRegistration(registration: PushRegistration): void {
  localStorage.setItem(KEY, JSON.stringify(registration))
}

export function deletePushRegistration(): void {
  localStorage.removeItem(KEY)
}
