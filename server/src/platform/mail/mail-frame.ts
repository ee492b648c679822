import { type Markup, markup } from './markup.ts'
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
  publicUrl: string
}

type MailBlock =
  | { kind: 'text'; text: string }
  | { kind: 'small'; text: string }
  | { kind: 'envelope'; title: string; lines: readonly string[] }
  | { kind: 'button'; label: string; url: string }

const SERIF = "Fraunces, Georgia, 'Times New Roman', serif"
const SANS = "Figtree, 'Segoe UI', Helvetica, Arial, sans-serif"

// Inline colours are those of the light theme; these replace them where the mailbox is dark.
const STYLES = markup`
:root { color-scheme: light dark; supported-color-schemes: light dark; }
body { margin: 0; padding: 0; }
a { color: #921C2E; }
@media (max-width: 480px) {
  .side { padding-left: 22px !important; padding-right: 22px !important; }
  .heading { font-size: 25px !important; line-height: 31px !important; }
  .button { width: 100% !important; }
  .button a { display: block !important; }
}
@media (prefers-color-scheme: dark) {
  .ground { background: #0A0E26 !important; }
  .card { background: #1B2250 !important; border-color: #2D3670 !important; }
  .envelope { background: #141A40 !important; border-color: #39437F !important; }
  .ink { color: #F2F0FF !important; }
  .soft { color: #C9D0F5 !important; }
  .faint { color: #A3ACDD !important; }
  a.link { color: #FFB4BE !important; }
}
[data-ogsc] .ink { color: #F2F0FF !important; }
[data-ogsc] .soft { color: #C9D0F5 !important; }
[data-ogsc] .faint { color: #A3ACDD !important; }
`

export function frameMail(content: MailContent): { subject: string; html: string; text: string } {
  const set = typesetAll(content)
  return { subject: set.subject, html: htmlOf(set).html, text: textOf(set) }
}

function typesetAll(content: MailContent): MailContent {
  return {
    ...content,
    subject: typeset(content.subject),
    preview: typeset(content.preview),
    heading: typeset(content.heading),
    blocks: content.blocks.map(typesetBlock),
    footer: content.footer.map(typeset),
  }
}

// What a person wrote (a title) and what a machine reads (an address) stay as they are.
function typesetBlock(block: MailBlock): MailBlock {
  switch (block.kind) {
    case 'text':
    case 'small':
      return { ...block, text: typeset(block.text) }
    case 'envelope':
      return { ...block, lines: block.lines.map(typeset) }
    case 'button':
      return { ...block, label: typeset(block.label) }
  }
}

function htmlOf(content: MailContent): Markup {
  const { subject, preview, heading, blocks, footer, publicUrl } = content
  return markup`<!doctype html>
<html lang="fr" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${subject}</title>
<style>${STYLES}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#FBF6EC;">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all;">${preview}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#FBF6EC;">
<tr><td align="center" style="padding:28px 12px 36px;">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#FFFDF8;border:1px solid #E7DDCB;border-radius:14px;border-collapse:separate;overflow:hidden;">
<tr>${skyOf(content)}</tr>
<tr><td class="side" style="padding:32px 40px 12px;">
<h1 class="ink heading" style="margin:0 0 18px;font-family:${SERIF};font-size:29px;line-height:36px;font-weight:600;color:#2B2336;">${heading}</h1>
${blocks.map(blockOf)}
</td></tr>
</table>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;">
<tr><td class="side" align="center" style="padding:24px 40px 0;">
${footer.map((line) => markup`<p class="faint" style="margin:0 0 8px;font-family:${SANS};font-size:13px;line-height:20px;color:#6B6078;">${line}</p>`)}
<p style="margin:14px 0 0;font-family:${SANS};font-size:13px;line-height:20px;"><a class="link" href="${publicUrl}" style="color:#921C2E;text-decoration:none;font-weight:600;">Révélations</a></p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

const SKIES = {
  night: {
    ground: '#141A40',
    image: 'linear-gradient(180deg,#0B1028 0%,#1B2250 100%)',
    padding: '18px 0 28px',
  },
  dawn: {
    ground: '#C96A4A',
    image: 'linear-gradient(180deg,#2A2F66 0%,#7A4470 45%,#E9803A 85%,#F6B56F 100%)',
    padding: '18px 0 0',
  },
}

function skyOf({ sky, initial }: MailContent): Markup {
  const { ground, image, padding } = SKIES[sky]
  return markup`<td align="center" aria-hidden="true" bgcolor="${ground}" style="padding:${padding};background-color:${ground};background-image:${image};border-radius:13px 13px 0 0;">
${STARS}
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:${sky === 'night' ? '2px' : '28px'} auto 0;"><tr>${sky === 'night' ? sealOf(initial) : SUN}</tr></table>
</td>`
}

const STARS = markup`<p style="margin:0;font-family:${SANS};font-size:11px;line-height:16px;color:#8E97CC;">
<span style="color:#C9D0F5;">✦</span>&emsp;&emsp;&emsp;&emsp;·&emsp;&emsp;&emsp;&emsp;&emsp;&emsp;<span style="color:#C9D0F5;">·</span>&emsp;&emsp;&emsp;✦&emsp;&emsp;&emsp;·</p>`

function sealOf(initial: string): Markup {
  return markup`<td align="center" valign="middle" width="70" height="70" bgcolor="#B3263A" style="width:70px;height:70px;border:5px solid #921C2E;border-radius:40px;background-color:#B3263A;font-family:${SERIF};font-size:32px;line-height:70px;font-weight:600;color:#FFF4EC;">${initial}</td>`
}

const SUN = markup`<td width="132" height="66" bgcolor="#FFF3DC" style="width:132px;height:66px;border-radius:66px 66px 0 0;background-color:#FFF3DC;background-image:linear-gradient(180deg,#FFFDF8 0%,#FBE3B8 100%);font-size:0;line-height:0;">&nbsp;</td>`

function blockOf(block: MailBlock): Markup {
  switch (block.kind) {
    case 'text':
      return markup`<p class="ink" style="margin:0 0 18px;font-family:${SANS};font-size:16px;line-height:26px;color:#2B2336;">${block.text}</p>
`
    case 'small':
      return markup`<p class="faint" style="margin:0 0 18px;font-family:${SANS};font-size:14px;line-height:22px;color:#6B6078;word-break:break-word;">${block.text}</p>
`
    case 'envelope':
      return markup`<table role="presentation" class="envelope" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 22px;background:#FBF6EC;border:1px solid #E7DDCB;border-radius:10px;border-collapse:separate;">
<tr><td style="padding:20px 22px;">
<p class="ink" style="margin:0 0 8px;font-family:${SERIF};font-size:21px;line-height:28px;font-weight:600;color:#2B2336;word-break:break-word;text-wrap:balance;">${block.title}</p>
${block.lines.map((line) => markup`<p class="soft" style="margin:0;font-family:${SANS};font-size:15px;line-height:24px;color:#574C63;">${line}</p>`)}
</td></tr>
</table>
`
    case 'button':
      return markup`<table role="presentation" class="button" cellpadding="0" cellspacing="0" border="0" style="margin:6px 0 26px;"><tr>
<td align="center" bgcolor="#B3263A" style="border-radius:10px;background-color:#B3263A;"><a href="${block.url}" style="display:inline-block;padding:14px 28px;font-family:${SANS};font-size:17px;line-height:22px;font-weight:600;color:#FFFFFF;text-decoration:none;border-radius:10px;">${block.label}</a></td>
</tr></table>
`
  }
}

function textOf({ heading, blocks, footer, publicUrl }: MailContent): string {
  const parts = [heading, ...blocks.map(textOfBlock), '--', ...footer, publicUrl]
  return `${parts.join('\n\n')}\n`
}

function textOfBlock(block: MailBlock): string {
  switch (block.kind) {
    case 'text':
    case 'small':
      return block.text
    case 'envelope':
      return [`«\u00A0${block.title}\u00A0»`, ...block.lines]
        .map((line) => `    ${line}`)
        .join('\n')
    case 'button':
      return `${block.label}\u00A0:\n${block.url}`
  }
}
