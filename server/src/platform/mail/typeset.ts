const NARROW = '\u202F'
const FIXED = '\u00A0'

/** The spaces French does not break: before « : », « ; », « ! », « ? », inside guillemets, and before an hour. */
export function typeset(text: string): string {
  return text
    .replace(/ (?=[;!?])/g, NARROW)
    .replace(/ (?=[:»])/g, FIXED)
    .replace(/(?<=«) /g, FIXED)
    .replace(/(?<= à) (?=\d\d:\d\d)/g, FIXED)
}
