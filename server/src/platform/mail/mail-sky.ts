import { SANS, SERIF } from './mail-blocks.ts'
import type { MailContent } from './mail-content.ts'
import { type Markup, markup } from './markup.ts'
import { type MjmlNode, mjml } from './mjml.ts'

const GROUNDS = { night: '#141A40', dawn: '#C96A4A' }
const PADDINGS = { night: '18px 0 28px', dawn: '18px 0 0' }

/** The night with its seal, or the sun that rises: a picture made of cells, which no mail program blocks. */
export function skyOf({ sky, initial }: Pick<MailContent, 'sky' | 'initial'>): MjmlNode {
  const picture = sky === 'night' ? sealOf(initial) : SUN
  return mjml('mj-section', { padding: '0', 'background-color': GROUNDS[sky] }, [
    mjml('mj-column', { padding: PADDINGS[sky], 'css-class': `sky ${sky}` }, [
      mjml(
        'mj-raw',
        {},
        markup`<tr><td align="center" aria-hidden="true">${STARS}
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:${sky === 'night' ? '2px' : '28px'} auto 0;border-collapse:separate;"><tr>${picture}</tr></table>
</td></tr>`,
      ),
    ]),
  ])
}

const STARS = markup`<p style="margin:0;font-family:${SANS};font-size:11px;line-height:16px;color:#8E97CC;">
<span style="color:#C9D0F5;">✦</span>&emsp;&emsp;&emsp;&emsp;·&emsp;&emsp;&emsp;&emsp;&emsp;&emsp;<span style="color:#C9D0F5;">·</span>&emsp;&emsp;&emsp;✦&emsp;&emsp;&emsp;·</p>`

function sealOf(initial: string): Markup {
  return markup`<td align="center" valign="middle" width="70" height="70" bgcolor="#B3263A" style="width:70px;height:70px;border:5px solid #921C2E;border-radius:40px;background-color:#B3263A;font-family:${SERIF};font-size:32px;line-height:70px;font-weight:600;color:#FFF4EC;">${initial}</td>`
}

const SUN = markup`<td width="132" height="66" bgcolor="#FFF3DC" style="width:132px;height:66px;border-radius:66px 66px 0 0;background-color:#FFF3DC;background-image:linear-gradient(180deg,#FFFDF8 0%,#FBE3B8 100%);font-size:0;line-height:0;">&nbsp;</td>`
