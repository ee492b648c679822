import { blocksOf, SANS, SERIF } from './mail-blocks.ts'
import {
  ABOUT_CHECKPOINT,
  checkpointPage,
  type MailContent,
  typesetContent,
} from './mail-content.ts'
import { skyOf } from './mail-sky.ts'
import { STYLES } from './mail-styles.ts'
import { textOf } from './mail-text.ts'
import { markup } from './markup.ts'
import { type MjmlNode, mjml, renderMjml } from './mjml.ts'

export type { MailContent }

/** The mail as it leaves: MJML makes the tables that mail programs understand (docs/decisions/0011-mail-rendering.md). */
export async function frameMail(
  content: MailContent,
): Promise<{ subject: string; html: string; text: string }> {
  const set = typesetContent(content)
  return { subject: set.subject, html: await renderMjml(treeOf(set)), text: textOf(set) }
}

function treeOf(content: MailContent): MjmlNode {
  const { subject, preview } = content
  return mjml('mjml', { lang: 'fr', dir: 'ltr' }, [
    mjml('mj-head', {}, [
      mjml('mj-title', {}, markup`${subject}`),
      mjml('mj-preview', {}, markup`${preview}`),
      mjml('mj-raw', {}, METAS),
      mjml('mj-style', {}, STYLES),
    ]),
    mjml('mj-body', { width: '560px', 'background-color': '#FBF6EC', 'css-class': 'ground' }, [
      cardOf(content),
      footerOf(content),
    ]),
  ])
}

const METAS = markup`<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">`

function cardOf(content: MailContent): MjmlNode {
  const heading = mjml(
    'mj-text',
    { padding: '0 0 18px', 'css-class': 'ink' },
    markup`<h1 class="heading" style="margin:0;font-family:${SERIF};font-size:29px;line-height:36px;font-weight:600;color:#2B2336;">${content.heading}</h1>`,
  )
  return mjml(
    'mj-wrapper',
    {
      'css-class': 'card',
      'background-color': '#FFFDF8',
      border: '1px solid #E7DDCB',
      'border-radius': '14px',
      padding: '0 0 14px',
    },
    [skyOf(content), ...blocksOf(heading, content.blocks)],
  )
}

function footerOf(content: MailContent): MjmlNode {
  const { footer, links = [], publicUrl } = content
  const lines = footer.map((line) => footerLine(markup`${line}`))
  const actions = links.map(
    ({ label, url }, index) =>
      markup`${index > 0 ? ' · ' : ''}<a class="link" href="${url}" style="display:inline-block;color:#921C2E;">${label}</a>`,
  )
  const home = markup`<a class="link" href="${publicUrl}" style="color:#921C2E;text-decoration:none;font-weight:600;">Révélations</a>`
  return mjml('mj-section', { padding: '24px 40px 0', 'css-class': 'side' }, [
    mjml('mj-column', {}, [
      ...lines,
      ...(actions.length > 0 ? [footerLine(markup`${actions}`)] : []),
      footerLine(home),
      ...checkpointOf(content),
    ]),
  ])
}

/** Small and quiet: it is there to be found the day somebody doubts. */
function checkpointOf(content: MailContent): MjmlNode[] {
  const { checkpoint } = content
  if (!checkpoint) return []
  const page = checkpointPage(content)
  const lines = checkpoint
    .trimEnd()
    .split('\n')
    .map((line) => markup`<div style="min-height:14px;">${line}</div>`)
  const about = markup`<div style="padding:0 0 4px;word-break:normal;">${ABOUT_CHECKPOINT} <a class="link" href="${page}" style="color:#921C2E;">Vérifier</a></div>`
  return [
    mjml(
      'mj-text',
      {
        align: 'left',
        padding: '16px 0 8px',
        'font-family': 'ui-monospace, Menlo, Consolas, monospace',
        'font-size': '10px',
        'line-height': '14px',
        color: '#6B6078',
        'css-class': 'faint',
      },
      markup`<div dir="ltr" style="word-break:break-all;">${[about, ...lines]}</div>`,
    ),
  ]
}

function footerLine(text: ReturnType<typeof markup>): MjmlNode {
  return mjml(
    'mj-text',
    {
      align: 'center',
      padding: '0 0 8px',
      'font-family': SANS,
      'font-size': '13px',
      'line-height': '20px',
      color: '#6B6078',
      'css-class': 'faint',
    },
    text,
  )
}
