/** Whom every mail is from. */
export interface Sender {
  name: string
  address: string
}

const ADDRESS = '[^<>\\s,;"]+@[^<>\\s,;"]+'
const BARE = new RegExp(`^${ADDRESS}$`)
const NAMED = new RegExp(`^("?)([^<>"\\\\\\r\\n]+)\\1\\s*<(${ADDRESS})>$`)

/** Reads `bonjour@exemple.fr` or `Révélations en famille <bonjour@exemple.fr>`; undefined for anything else. */
export function parseSender(text: string): Sender | undefined {
  if (BARE.test(text)) return { name: 'Révélations', address: text }
  const [, , name = '', address = ''] = NAMED.exec(text.trim()) ?? []
  return address ? { name: name.trim(), address } : undefined
}
