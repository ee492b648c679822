import { expect, it } from 'vitest'
import type { MailContent } from './mail-content.ts'
import { renderMail } from './mail-frame.ts'

const NASTY = `"><img src=x onerror='alert(1)'>&`

function contentOf(text: string): MailContent {
  return {
    subject: text,
    preview: text,
    sky: 'night',
    initial: text,
    heading: text,
    blocks: [
      { kind: 'text', text },
      { kind: 'small', text },
      { kind: 'note', from: text, words: text },
      { kind: 'list', items: [text] },
      { kind: 'envelope', title: text, lines: [text] },
      { kind: 'button', label: text, url: `https://exemple.test/?${text}` },
    ],
    footer: [text],
    links: [{ label: text, url: `https://exemple.test/?${text}` }],
    publicUrl: `https://exemple.test/?${text}`,
  }
}

it('escapes every value', async () => {
  for (const sky of ['night', 'dawn'] as const) {
    const { html } = await renderMail({ ...contentOf(NASTY), sky })
    expect(html).not.toContain('<img src=x')
    expect(html).not.toMatch(/onerror='/)
    expect(html).not.toMatch(/'>&(?!#39;|amp;)/)
    expect(html).toContain('&quot;&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&amp;')
  }
})

it('loads nothing when the mail is read: its seal travels with it', async () => {
  const { html, attachments } = await renderMail(contentOf('Bonjour'))
  expect(html.match(/<img[^>]*>/g)).toEqual([expect.stringContaining('src="cid:sceau"')])
  expect(html.replace('src="cid:sceau"', '')).not.toMatch(
    /<(?:link|script|iframe)|src=|url\(|@import/i,
  )
  const [seal] = attachments
  expect(seal).toMatchObject({ cid: 'sceau', contentType: 'image/png' })
  expect(seal?.content.length).toBeLessThan(12_000)
})

it('presses the initial of the author into the seal, which breaks at the opening', async () => {
  const sealOf = async (initial: string, sky: 'night' | 'dawn') => {
    const { attachments } = await renderMail({ ...contentOf('Bonjour'), initial, sky })
    return String(attachments[0]?.content)
  }
  const [a, b, broken] = [
    await sealOf('A', 'night'),
    await sealOf('B', 'night'),
    await sealOf('A', 'dawn'),
  ]
  expect(new Set([a, b, broken]).size).toBe(3)
  expect(await sealOf('A', 'night')).toBe(a)
})

it('renders the same content and link as text and as HTML', async () => {
  const { html, text } = await renderMail(contentOf('Bonjour Élise'))
  expect(text.split('Bonjour Élise').length - 1).toBe(14)
  expect(text).toContain('https://exemple.test/?Bonjour Élise')
  expect(html).toContain('href="https://exemple.test/?Bonjour Élise"')
  expect(html).toContain('prefers-color-scheme: dark')
})

it('sets the spaces of French, except in what a person wrote', async () => {
  const { subject, html, text } = await renderMail(contentOf('Déjà ? « Oui » : à 00:00 !'))
  const typeset = 'Déjà\u202F? «\u202FOui\u202F»\u202F: à\u00A000:00\u202F!'
  expect(subject).toBe(typeset)
  expect(html).toContain(`>${typeset}</h1>`)
  expect(text).toContain('«\u202FDéjà ? « Oui » : à 00:00 !\u202F»')
  expect(text).toContain('https://exemple.test/?Déjà ? « Oui » : à 00:00 !')
})

it('parses no value as an element of MJML, nor as a file to read', async () => {
  const { html } = await renderMail(contentOf('</mj-text><mj-include path="/etc/passwd" />{{x}}'))
  expect(html).not.toContain('root:')
  expect(html).toContain('&lt;mj-include path=&quot;/etc/passwd&quot; /&gt;{{x}}')
})

it('puts nothing of one mail into another of the same shape', async () => {
  const first = await renderMail(contentOf('Pour Élise'))
  const second = await renderMail(contentOf('À Tom, \uE0000\uE001 $1'))
  expect(second.html).not.toContain('Élise')
  expect(second.html).toBe(first.html.replaceAll('Pour Élise', () => 'À Tom, \uE0000\uE001 $1'))
})

it('renders tables, inline colours, and styles for the dark theme', async () => {
  const { html } = await renderMail(contentOf('Bonjour'))
  expect(html).toContain('<!--[if mso | IE]>')
  expect(html).toMatch(/<td[^>]* bgcolor="#B3263A"/)
  expect(html).toContain('@media (prefers-color-scheme: dark)')
  expect(html).not.toContain('undefined')
})
