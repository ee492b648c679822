/** Whether two spellings are one address; two empty ones are not. */
export function isSameAddress(one: string, other: string): boolean {
  return one.trim() !== '' && one.trim().toLowerCase() === other.trim().toLowerCase()
}
