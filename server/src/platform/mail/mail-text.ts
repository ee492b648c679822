import {
  ABOUT_CHECKPOINT,
  checkpointPage,
  type MailBlock,
  type MailContent,
} from './mail-content.ts'

/** The mail for whoever reads no HTML. */
export function textOf(content: MailContent): string {
  const { heading, blocks, footer, links = [], publicUrl, checkpoint } = content
  const parts = [
    heading,
    ...blocks.map(textOfBlock),
    '--',
    ...footer,
    ...links.map(textOfLink),
    publicUrl,
    ...(checkpoint
      ? [`${ABOUT_CHECKPOINT}\n${checkpointPage(content)}`, checkpoint.trimEnd()]
      : []),
  ]
  return `${parts.join('\n\n')}\n`
}

function textOfBlock(block: MailBlock): string {
  switch (block.kind) {
    case 'text':
    case 'small':
      return block.text
    case 'list':
      return block.items.map((item) => `–\u00A0${item}`).join('\n')
    case 'envelope':
      return [`«\u00A0${block.title}\u00A0»`, ...block.lines]
        .map((line) => `    ${line}`)
        .join('\n')
    case 'button':
      return textOfLink(block)
  }
}

function textOfLink({ label, url }: { label: string; url: string }): string {
  return `${label}\u00A0:\n${url}`
}
