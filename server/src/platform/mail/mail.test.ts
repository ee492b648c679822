import { expect, it } from 'vitest'
import { parseSender } from './mail.ts'

it.each([
  ['bonjour@exemple.fr', { name: 'Révélations', address: 'bonjour@exemple.fr' }],
  ['En famille <bonjour@exemple.fr>', { name: 'En famille', address: 'bonjour@exemple.fr' }],
  ['"Nous, ici" <bonjour@exemple.fr>', { name: 'Nous, ici', address: 'bonjour@exemple.fr' }],
  ['Nous, ici <bonjour@exemple.fr>', { name: 'Nous, ici', address: 'bonjour@exemple.fr' }],
  ['<bonjour@exemple.fr>', undefined],
  ['a@x.fr, b@y.fr', undefined],
  ['Nous <a@x.fr>, b@y.fr', undefined],
  ['Nous <a@x.fr> <b@y.fr>', undefined],
  ['Nous', undefined],
])('reads « %s » as %o', (text, sender) => {
  expect(parseSender(text)).toEqual(sender)
})
