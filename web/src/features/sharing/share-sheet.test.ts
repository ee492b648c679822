import { describe, expect, test } from 'vitest'
import { anEnvelope, anOpenLetter } from '#web/test/samples.ts'
import { mailAddress, SHARE_TARGETS, shareLink, shareText, smsAddress } from './share-sheet.tsx'

const facts = {
  title: 'La finale',
  reveal_date: '2026-12-31T23:00:00.000Z',
  time_zone: 'Europe/Brussels',
} as const

test('the link is the page for everybody, whatever stands in the address', () => {
  window.history.replaceState(null, '', '/revelation/abc?x=1#cle=n_orl3Ypvrc47VXXcm7Y')
  expect(shareLink('abc')).toBe(`${window.location.origin}/revelation/abc`)
})

test('the text says the title, the author and the day, and never a word of the letter', () => {
  expect(shareText(anEnvelope(facts))).toBe(
    '«\u202FLa finale\u202F», une révélation de @noemie. Elle s’ouvre le 1 janvier 2027',
  )
  const open = shareText(anOpenLetter({ ...facts, content: 'mirabelle', file_name: 'poire.mp4' }))
  expect(open).toBe(
    '«\u202FLa finale\u202F», une révélation de @noemie, dévoilée le 1 janvier 2027',
  )
})

test.each(['friends', 'family', 'private'] as const)(
  'of a %s one it says no title',
  (visibility) => {
    const text = shareText(anEnvelope({ ...facts, visibility }))
    expect(text).toBe('Une révélation à lire sur Révélations')
  },
)

describe('by mail and text message', () => {
  const link = 'https://r.be/revelation/abc'
  const partsOf = (url: string) => {
    expect(url).not.toContain('+')
    return Object.fromEntries(new URLSearchParams(url.slice(url.indexOf('?') + 1)))
  }

  test('leave the words of the sheet and the link, and a title that cannot add a header', () => {
    const revelation = anEnvelope({ ...facts, title: 'Oui & non?\r\nBcc: x@y.be' })
    const url = mailAddress(revelation, link)
    expect(url.startsWith('mailto:?subject=')).toBe(true)
    expect(Object.keys(partsOf(url))).toEqual(['subject', 'body'])
    const { subject, body } = partsOf(mailAddress(anEnvelope(facts), link))
    expect(subject).toBe('«\u202FLa finale\u202F» sur Révélations')
    expect(body).toBe(
      `Bonjour,\r\n\r\n${shareText(anEnvelope(facts))}\u202F:\r\nhttps://r.be/revelation/abc`,
    )
    const sms = smsAddress(shareText(anEnvelope(facts)), link)
    expect(sms.startsWith('sms:?&body=')).toBe(true)
    expect(partsOf(sms).body).toBe(`${shareText(anEnvelope(facts))} ${link}`)
  })

  test.each(['friends', 'family', 'private'] as const)(
    'of a %s one leave neither title nor letter',
    (visibility) => {
      const secret = { visibility, title: 'La finale', content: 'mirabelle' }
      const revelation = anOpenLetter({ ...facts, ...secret })
      const left = mailAddress(revelation, link) + smsAddress(shareText(revelation), link)
      expect(decodeURIComponent(left)).not.toMatch(/finale|mirabelle/)
    },
  )
})

test('each network receives text and link as its page wants them', () => {
  const pages = SHARE_TARGETS.map(({ name, page }) => [name, page?.('a & b', 'https://r.be/x')])
  expect(pages).toEqual([
    ['Facebook', 'https://www.facebook.com/sharer/sharer.php?u=https%3A%2F%2Fr.be%2Fx'],
    ['X', 'https://x.com/intent/post?text=a+%26+b&url=https%3A%2F%2Fr.be%2Fx'],
    ['WhatsApp', 'https://wa.me/?text=a+%26+b+https%3A%2F%2Fr.be%2Fx'],
    ['Discord', undefined],
    ['Instagram', undefined],
    ['Snapchat', undefined],
  ])
})
