/** The picture that stands for a page where its address is shared. */
export const PREVIEW_SIZE = { width: 1200, height: 630 }

/** Of every page that has none of its own, and of every revelation that not everybody may know of. */
export const GENERIC_PREVIEW_PATH = '/apercu/revelations.png'

/**
 * Of a public revelation. The address is another one after each edit and after the reveal: what shows it elsewhere keeps
 * pictures by their address.
 */
export function previewPath(revelation: {
  id: string
  version: number
  is_revealed: boolean
}): string {
  const { id, version, is_revealed } = revelation
  return `/apercu/${id}.png?v=${version}-${is_revealed ? 'devoilee' : 'scellee'}`
}
