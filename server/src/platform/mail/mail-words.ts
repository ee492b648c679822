/** The letter in the wax of a mail. */
export function initialOf(pseudo: string): string {
  return (pseudo.match(/\p{L}|\p{N}/u)?.[0] ?? '·').toUpperCase()
}

/** A title may hold line breaks, and marks that turn the direction of what follows. */
export function oneLine(title: string): string {
  return title
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
}

/** « 1 réaction », « 3 réactions ». */
export function counted(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}
