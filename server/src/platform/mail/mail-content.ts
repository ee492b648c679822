import { typeset } from './typeset.ts'

/** What a mail says. The frame turns it into HTML and into plain text, so that both say the same. */
export interface MailContent {
  subject: string
  /** The line a mailbox shows after the subject. */
  preview: string
  /** Night while it is sealed, dawn once it is open. */
  sky: 'night' | 'dawn'
  /** The letter in the wax: the initial of whoever sealed it. */
  initial: string
  heading: string
  blocks: readonly MailBlock[]
  /** Why this mail, and from whom. */
  footer: readonly string[]
  /** What its reader may do about it: stop such mails, report it. */
  links?: readonly MailLink[]
  publicUrl: string
  /** The last signed checkpoint of the log: each mailbox that holds one is a witness. Undefined while the log is empty. */
  checkpoint?: string | undefined
}

/** Where a checkpoint is compared with the log of today. */
export function checkpointPage({ publicUrl }: Pick<MailContent, 'publicUrl'>): string {
  return `${publicUrl}/preuve`
}

export const ABOUT_CHECKPOINT = typeset(
  'Point de contrôle du journal des scellés : qui le garde peut vérifier que rien n’y est réécrit.',
)

export interface MailLink {
  label: string
  url: string
}

export type MailBlock =
  | { kind: 'text'; text: string }
  | { kind: 'small'; text: string }
  | { kind: 'list'; items: readonly string[] }
  | { kind: 'envelope'; title: string; lines: readonly string[] }
  | { kind: 'button'; label: string; url: string }

/** With the spaces of French; what a person wrote (a title) and what a machine reads (an address) stay as they are. */
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
    case 'button':
      return { ...block, label: typeset(block.label) }
  }
}
