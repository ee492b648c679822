/** A part of the app that was to come later: gone with a new version, or lost on the way. Each browser says it its way. */
export function isMissingCode(error: unknown): boolean {
  const says = /dynamically imported module|importing a module script|unable to preload/i
  return error instanceof Error && says.test(error.message)
}
