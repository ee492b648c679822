const KEY = 'push_told'

/** That this browser asked to be told, for whom, and by which address: without a word of the server, as last left. */
interface ToldBrowser {
  userId: string
  endpoint: string
}

export function readToldBrowser(): ToldBrowser | undefined {
  return JSON.parse(localStorage.getItem(KEY) ?? 'null') ?? undefined
}

export function saveToldBrowser(told: ToldBrowser): void {
  localStorage.setItem(KEY, JSON.stringify(told))
}

export function forgetToldBrowser(): void {
  localStorage.removeItem(KEY)
}
