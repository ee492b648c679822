import { sql } from 'kysely'

/** For `like`: the form of a text that searches compare, each of its characters standing for itself only. */
export function literalPattern(text: string) {
  // Escaped in its form and not before: « ％ » becomes « % » there.
  return sql<string>`regexp_replace(search_form(${text}), '([\\\\%_])', '\\\\\\1', 'g')`
}
