import { BRAND_PATHS, type Brand } from './brand-paths.ts'

export interface ShareTarget {
  name: string
  /** An SVG path in a square of 24. */
  icon: string
  /** The page of that network that takes a text and a link; without one, both are copied to be pasted there. */
  page?: (text: string, link: string) => string
}

function target(name: Brand, page?: ShareTarget['page']): ShareTarget {
  return { name, icon: BRAND_PATHS[name], ...(page && { page }) }
}

function address(base: string, query: Record<string, string>): string {
  return `${base}?${new URLSearchParams(query)}`
}

export const SHARE_TARGETS: readonly ShareTarget[] = [
  target('Facebook', (_, u) => address('https://www.facebook.com/sharer/sharer.php', { u })),
  target('X', (text, url) => address('https://x.com/intent/post', { text, url })),
  target('WhatsApp', (text, url) => address('https://wa.me/', { text: `${text} ${url}` })),
  target('Discord'),
  target('Instagram'),
  target('Snapchat'),
]
