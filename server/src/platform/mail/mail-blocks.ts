import type { MailBlock } from './mail-content.ts'
import { type Markup, markup } from './markup.ts'
import { type MjmlNode, mjml } from './mjml.ts'

export const SERIF = 'Fraunces, Georgia, Times New Roman, serif'
export const SANS = 'Figtree, Segoe UI, Helvetica, Arial, sans-serif'

/** The heading and the blocks as the rows of a card: an envelope is a box, and a box needs a row of its own. */
export function blocksOf(heading: MjmlNode, blocks: readonly MailBlock[]): MjmlNode[] {
  const rows: MjmlNode[] = []
  let row: MjmlNode[] = [heading]
  let padding = '32px 40px 0'
  for (const block of blocks) {
    if (block.kind !== 'envelope') {
      row.push(blockOf(block))
      continue
    }
    if (row.length > 0) rows.push(rowOf(padding, row))
    rows.push(boxOf(block))
    row = []
    padding = '0 40px'
  }
  return row.length > 0 ? [...rows, rowOf(padding, row)] : rows
}

function rowOf(padding: string, nodes: readonly MjmlNode[]): MjmlNode {
  return mjml('mj-section', { padding, 'css-class': 'side' }, [mjml('mj-column', {}, nodes)])
}

function boxOf({ title, lines }: Extract<MailBlock, { kind: 'envelope' }>): MjmlNode {
  return mjml('mj-section', { padding: '4px 40px 22px', 'css-class': 'side' }, [
    mjml(
      'mj-column',
      {
        'background-color': '#FBF6EC',
        border: '1px solid #E7DDCB',
        'border-radius': '10px',
        padding: '20px 22px',
        'css-class': 'envelope',
      },
      [
        textOf(
          {
            'font-family': SERIF,
            'font-size': '21px',
            'line-height': '28px',
            'font-weight': '600',
          },
          { kind: 'ink', padding: '0 0 8px' },
          markup`${title}`,
        ),
        ...lines.map((line) =>
          textOf(
            { 'font-size': '15px', 'line-height': '24px' },
            { kind: 'soft', padding: '0' },
            markup`${line}`,
          ),
        ),
      ],
    ),
  ])
}

const INKS = { ink: '#2B2336', soft: '#574C63', faint: '#6B6078' }

function textOf(
  font: Record<string, string>,
  { kind, padding }: { kind: keyof typeof INKS; padding: string },
  text: Markup,
): MjmlNode {
  const attributes = { 'font-family': SANS, ...font, color: INKS[kind], 'css-class': kind, padding }
  return mjml('mj-text', attributes, text)
}

const BODY = { 'font-size': '16px', 'line-height': '26px' }

function blockOf(block: Exclude<MailBlock, { kind: 'envelope' }>): MjmlNode {
  switch (block.kind) {
    case 'text':
      return textOf(BODY, { kind: 'ink', padding: '0 0 18px' }, markup`${block.text}`)
    case 'small':
      return textOf(
        { 'font-size': '14px', 'line-height': '22px' },
        { kind: 'faint', padding: '0 0 18px' },
        markup`${block.text}`,
      )
    case 'list': {
      const items = block.items.map((item) => markup`<li style="margin:0 0 6px;">${item}</li>`)
      const list = markup`<ul style="margin:0;padding:0 0 0 22px;">${items}</ul>`
      return textOf(BODY, { kind: 'ink', padding: '0 0 12px' }, list)
    }
    case 'button':
      return mjml(
        'mj-button',
        {
          href: block.url,
          align: 'left',
          padding: '6px 0 26px',
          'inner-padding': '14px 28px',
          'background-color': '#B3263A',
          'border-radius': '10px',
          'font-family': SANS,
          'font-size': '17px',
          'line-height': '22px',
          'font-weight': '600',
          color: '#FFFFFF',
          'css-class': 'button',
        },
        markup`${block.label}`,
      )
  }
}
