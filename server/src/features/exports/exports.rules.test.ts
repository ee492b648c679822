import { expect, it } from 'vitest'
import { archivePath, hrefOf } from './exports.rules.ts'

it.each([
  ['bague.png', 'fichiers/0007-bague.png'],
  ['Échographie à 12 semaines 🤰.jpeg', 'fichiers/0007-Échographie à 12 semaines 🤰.jpeg'],
  ['CON.txt', 'fichiers/0007-CON.txt'],
  ['a<b>c:d"e/f\\g|h?i*j.pdf', 'fichiers/0007-a_b_c_d_e_f_g_h_i_j.pdf'],
  ['ruse\u202Egnp.exe', 'fichiers/0007-ruse_gnp.exe'],
  ['fin. . .', 'fichiers/0007-fin'],
  ['', 'fichiers/0007-fichier'],
  ['...', 'fichiers/0007-fichier'],
  ['é'.normalize('NFD'), 'fichiers/0007-é'],
])('names %j as every system takes it', (name, path) => {
  expect(archivePath(7, name)).toBe(path)
})

it('keeps the extension of a name that is too long, and no half of a character', () => {
  const path = archivePath(12_345, `${'🎉'.repeat(100)}.mp4`)
  expect(Buffer.byteLength(path)).toBeLessThan(255)
  expect(path.isWellFormed()).toBe(true)
  expect(path).toMatch(/^fichiers\/12345-🎉+\.mp4$/u)
})

it('links to a file whose name has signs of its own in an address', () => {
  expect(hrefOf('fichiers/0001-100 % #1 ?.png')).toBe('fichiers/0001-100%20%25%20%231%20%3F.png')
})
