/** Whose keys these are: an account, by session or token of the API, or the bearer of a personal link. */
export type Owner = { userId: string } | { deliveryId: string }

/** Fields that hold the address of a file, or several of them. */
const FILE_FIELDS = ['file_url', 'file_urls', 'seal_voice']

/**
 * One text for one input: names sorted, what is undefined left out, and the address of a file without its ticket, which is
 * another one each time.
 */
export function canonicalInput(input: unknown): string {
  return JSON.stringify(input, (name, value: unknown) => {
    if (FILE_FIELDS.includes(name)) return withoutTickets(value)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(
      Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)),
    )
  })
}

function withoutTickets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTickets)
  if (typeof value !== 'string') return value
  return value.replace(/\?.*$/s, '').replace(/^\/api\/secure-file\//, '')
}
