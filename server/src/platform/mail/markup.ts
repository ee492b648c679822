declare const brand: unique symbol

/** HTML that is safe to send: made by `markup`, which escapes every value that is not itself `Markup`. */
export type Markup = { readonly html: string; readonly [brand]: 'Markup' }

type Value = string | Markup | readonly Markup[]

export function markup(parts: TemplateStringsArray, ...values: Value[]): Markup {
  const html = parts.reduce(
    (before, part, index) => before + toHtml(values[index - 1] ?? '') + part,
  )
  return { html } as Markup
}

function toHtml(value: Value): string {
  if (typeof value === 'string') return escapeText(value)
  return 'html' in value ? value.html : value.map(({ html }) => html).join('')
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
