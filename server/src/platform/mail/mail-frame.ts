import { drawSeal } from '#server/platform/drawing/wax-seal.ts'
import type { Attachment } from './mail.ts'
import {
  type MailBlock,
  type MailContent,
  renderPlainText,
  typesetContent,
} from './mail-content.ts'
import { type Markup, type MjmlNode, markup, mjml, renderMjml } from './mjml.ts'

/** Renders the mail: MJML writes the tables that mail programs understand (docs/decisions/0011-mail-rendering.md). */
export async function renderMail(
  content: MailContent,
): Promise<{ subject: string; html: string; text: string; attachments: Attachment[] }> {
  const set = typesetContent(content)
  const [html, seal] = await Promise.all([
    renderMjml(treeOf(set)),
    drawSeal(set.initial, set.sky === 'night' ? 'whole' : 'broken'),
  ])
  return {
    subject: set.subject,
    html,
    text: renderPlainText(set),
    attachments: [
      { filename: 'sceau.png', contentType: 'image/png', content: seal, cid: SEAL_CID },
    ],
  }
}

/** It travels with the mail: a picture that is fetched would tell when, and from where, a mail is read. */
const SEAL_CID = 'sceau'

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
    ]),
  ])
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

const SERIF = 'Fraunces, Georgia, Times New Roman, serif'
const SANS = 'Figtree, Segoe UI, Helvetica, Arial, sans-serif'

/** The heading and the blocks as the rows of a card; the box of an envelope needs a row of its own. */
function blocksOf(heading: MjmlNode, blocks: readonly MailBlock[]): MjmlNode[] {
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
    case 'note': {
      const lines = block.words
        .split('\n')
        .map((line, index) => markup`${index > 0 ? markup`<br>` : ''}${line}`)
      const quote = markup`<blockquote class="note" style="margin:0;padding:2px 0 2px 16px;border-left:3px solid #B3263A;"><div class="said">${lines}</div><div class="by" style="padding:6px 0 0;font-family:${SANS};font-size:15px;line-height:22px;color:#574C63;">—\u00A0${block.from}</div></blockquote>`
      return textOf(
        { 'font-family': SERIF, 'font-size': '19px', 'line-height': '29px' },
        { kind: 'ink', padding: '0 0 24px' },
        quote,
      )
    }
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

const GROUNDS = { night: '#141A40', dawn: '#C96A4A' }

/** The night with its seal, or the day that broke it. */
function skyOf({ sky }: Pick<MailContent, 'sky'>): MjmlNode {
  return mjml('mj-section', { padding: '0', 'background-color': GROUNDS[sky] }, [
    mjml('mj-column', { padding: '18px 0 24px', 'css-class': `sky ${sky}` }, [
      mjml(
        'mj-raw',
        {},
        markup`<tr><td align="center">${STARS}
<img src="cid:${SEAL_CID}" width="96" height="91" alt="" style="display:block;margin:4px auto 0;border:0;width:96px;height:auto;"></td></tr>`,
      ),
    ]),
  ])
}

const STARS = markup`<p aria-hidden="true" style="margin:0;font-family:${SANS};font-size:11px;line-height:16px;color:#8E97CC;">
<span style="color:#C9D0F5;">✦</span>&emsp;&emsp;&emsp;&emsp;·&emsp;&emsp;&emsp;&emsp;&emsp;&emsp;<span style="color:#C9D0F5;">·</span>&emsp;&emsp;&emsp;✦&emsp;&emsp;&emsp;·</p>`

/** Styles that cannot be inline: gradients, narrow screens, and the dark theme, whose colours replace the inline ones. */
const STYLES = markup`
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body.ground { padding: 28px 12px 36px !important; background: #FBF6EC; }
a { color: #921C2E; }
.night { background-image: linear-gradient(180deg, #0B1028 0%, #1B2250 100%); }
.dawn { background-image: linear-gradient(180deg, #2A2F66 0%, #7A4470 45%, #E9803A 85%, #F6B56F 100%); }
@media (max-width: 480px) {
  .side > table > tbody > tr > td { padding-left: 22px !important; padding-right: 22px !important; }
  .heading { font-size: 25px !important; line-height: 31px !important; }
  .button table { width: 100% !important; }
  .button a { display: block !important; }
}
@media (prefers-color-scheme: dark) {
  .ground, .ground > div { background: #0A0E26 !important; }
  .card, .card > table { background: #1B2250 !important; }
  .card > table > tbody > tr > td { border-color: #2D3670 !important; }
  .envelope > table > tbody > tr > td { background: #141A40 !important; border-color: #39437F !important; }
  .ink div, .ink h1 { color: #F2F0FF !important; }
  .note .by { color: #C9D0F5 !important; }
  .note { border-color: #FF8090 !important; }
  .soft div { color: #C9D0F5 !important; }
  .faint div { color: #A3ACDD !important; }
  a.link { color: #FFB4BE !important; }
}
[data-ogsc] .ink div, [data-ogsc] .ink h1 { color: #F2F0FF !important; }
[data-ogsc] .soft div { color: #C9D0F5 !important; }
[data-ogsc] .faint div { color: #A3ACDD !important; }
`
