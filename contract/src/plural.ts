/** The word that agrees with a count: in French the plural begins at two, so that 0, 1 and 1.5 are singular. */
export function pluralize(count: number, one: string, many: string): string {
  return count < 2 ? one : many
}
