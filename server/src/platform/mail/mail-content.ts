import { pluralize } from '#contract/plural.ts'

const NARROW = '\u202F'
const FIXED = '\u00A0'

/** The spaces French does not break: narrow before « : ; ! ? » and inside guillemets; before an hour, a plain one. */
export function typeset(text: string): string {
  return text
    .replace(/ (?=[:;!?»])/g, NARROW)
    .replace(/(?<=«) /g, NARROW)
    .replace(/(?<= à) (?=\d\d:\d\d)/g, FIXED)
}

/** The letter in the wax of a mail: the first letter or digit of a pseudo. */
export function initialOf(pseudo: string): string {
  return (pseudo.match(/\p{L}|\p{N}/u)?.[0] ?? '·').toUpperCase()
}

/** A title on one line: without line breaks, nor marks that turn the direction of the text after it. */
export function oneLine(title: string): string {
  return title
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** « 0 réaction », « 1 réaction », « 3 réactions ». */
export function counted(number: number, one: string, many: string): string {
  return `${number} ${pluralize(number, one, many)}`
}

/** The content of a mail, from which HTML and plain text are rendered, so that both say the same. */
export interface MailContent {
  subject: string
  /** The line a mailbox shows after the subject. */
  preview: string
  /** Night while it is sealed, dawn once it is open. */
  sky: 'night' | 'dawn'
  /** The letter in the wax: the initial of the author. */
  initial: string
  heading: string
  blocks: readonly MailBlock[]
  /** Why the reader receives this mail, and from whom. */
  footer: readonly string[]
  /** Actions of the reader: stop such mails, report this one. */
  links?: readonly MailLink[]
  publicUrl: string
}

export interface MailLink {
  label: string
  url: string
}

export type MailBlock =
  | { kind: 'text'; text: string }
  | { kind: 'small'; text: string }
  /** What the author adds for this mail alone, in their own words. */
  | { kind: 'note'; from: string; words: string }
  | { kind: 'list'; items: readonly string[] }
  | { kind: 'envelope'; title: string; lines: readonly string[] }
  | { kind: 'button'; label: string; url: string }

/** Sets the spaces of French, except in the title that a person wrote and in what a machine reads (an address). */
export function typesetContent(content: MailContent): MailContent {
  return {
    ...content,
    subject: typeset(content.subject),
    preview: typeset(content.preview),
    heading: typeset(content.heading),
    blocks: content.blocks.map(typesetBlock),
    footer: content.footer.map(typeset),
    links: (content.links ?? []).map(({ label, url }) => ({ label: typeset(label), url })),
  }
}

function typesetBlock(block: MailBlock): MailBlock {
  switch (block.kind) {
    case 'text':
    case 'small':
      return { ...block, text: typeset(block.text) }
    case 'list':
      return { ...block, items: block.items.map(typeset) }
    case 'envelope':
      return { ...block, lines: block.lines.map(typeset) }
    case 'note':
      // Only spaces: no sign of what somebody wrote is alone on a line.
      return { ...block, words: typeset(block.words) }
    case 'button':
      return { ...block, label: typeset(block.label) }
  }
}

/** The mail for programs that show no HTML. */
export function renderPlainText(content: MailContent): string {
  const { heading, blocks, footer, links = [], publicUrl } = content
  const parts = [
    heading,
    ...blocks.map(plainTextOf),
    '--',
    ...footer,
    ...links.map(plainTextOfLink),
    publicUrl,
  ]
  return `${parts.join('\n\n')}\n`
}

function plainTextOf(block: MailBlock): string {
  switch (block.kind) {
    case 'text':
    case 'small':
      return block.text
    case 'note':
      return [...block.words.split('\n'), `—\u00A0${block.from}`]
        .map((line) => `  ${line}`)
        .join('\n')
    case 'list':
      return block.items.map((item) => `–\u00A0${item}`).join('\n')
    case 'envelope':
      return [`«\u202F${block.title}\u202F»`, ...block.lines]
        .map((line) => `    ${line}`)
        .join('\n')
    case 'button':
      return plainTextOfLink(block)
  }
}

function plainTextOfLink({ label, url }: { label: string; url: string }): string {
  return `${label}\u202F:\n${url}`
}

const LIST = new Intl.ListFormat('fr')

/** « Léa, Tom et Zoé ». */
export function listInWords(names: readonly string[]): string {
  return LIST.format(names)
}
