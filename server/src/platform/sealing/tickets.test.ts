import { createHmac, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTicket, signTicket, type Ticket } from './tickets.ts'

const secret = randomBytes(32)
const ticket: Ticket = {
  item: '0190f6c2-7c5b-7aa1-9b8e-1f6f3c2f7d11',
  variant: 'mobile',
  holder: 'session:7',
  expiresAt: new Date('2027-01-01T00:10:00.123Z'),
}

test('a ticket says what was signed, expired or not', () => {
  const field = fc.string({ unit: 'binary', maxLength: 60 })
  fc.assert(
    fc.property(
      field,
      field,
      field,
      fc.date({ noInvalidDate: true }),
      (item, variant, holder, expiresAt) => {
        const signed = { item, variant, holder, expiresAt }
        expect(parseTicket(secret, signTicket(secret, signed))).toEqual(signed)
      },
    ),
  )
})

test('a ticket travels in a URL as it is', () => {
  const text = signTicket(secret, ticket)

  expect(encodeURIComponent(text)).toBe(text)
  expect(text.length).toBeLessThan(200)
})

test('a ticket with one character changed, added or removed is none', () => {
  const text = signTicket(secret, ticket)

  for (let at = 0; at < text.length; at += 1) {
    for (const other of ['A', 'B', '-', '.', '=', ' ', 'é', '']) {
      const forged = text.slice(0, at) + other + text.slice(at + 1)
      if (forged !== text) expect(parseTicket(secret, forged)).toBeUndefined()
    }
  }
  for (const forged of [`${text}=`, `${text}.`, `${text}.x`, ` ${text}`, `${text}\n`]) {
    expect(parseTicket(secret, forged)).toBeUndefined()
  }
})

test('whatever else is given as a ticket is none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(parseTicket(secret, text)).toBeUndefined()
    }),
  )
  for (const text of ['', '.', '..', 'a.b', '__proto__']) {
    expect(parseTicket(secret, text)).toBeUndefined()
  }
})

test('a ticket is worth nothing under another secret, nor are the facts of one with the seal of another', () => {
  const text = signTicket(secret, ticket)
  const [, signature] = signTicket(secret, { ...ticket, item: 'other' }).split('.')

  expect(parseTicket(randomBytes(32), text)).toBeUndefined()
  expect(parseTicket(secret, `${text.split('.')[0]}.${signature}`)).toBeUndefined()
})

test('a signature made with the same secret for something else is no ticket', () => {
  const body = Buffer.from('["a","b","c",1]').toString('base64url')
  const signature = createHmac('sha256', secret).update(body).digest('base64url')

  expect(parseTicket(secret, `${body}.${signature}`)).toBeUndefined()
})
