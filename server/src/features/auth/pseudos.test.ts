import { describe, expect, it } from 'vitest'
import { isReserved, skeletonOf } from './pseudos.service.ts'

describe('skeletonOf', () => {
  it.each([
    ['pauline', 'рauline'],
    ['pauline', 'paul1ne'],
    ['pauline', 'PauIine'],
    ['pauline', 'ｐａｕｌｉｎｅ'],
    ['marie', 'rnarie'],
    ['ANNA', 'ΑΝΝΑ'],
    ['AHHA', 'АННА'],
    ['leo', 'le0'],
    ['inci', 'ıncı'],
  ])('is the same for %s and %s, which look the same', (one, other) => {
    expect(skeletonOf(other)).toBe(skeletonOf(one))
  })

  it.each([
    ['Zoé', 'Zoe'],
    ['Mémé', 'Meme'],
    ['jean-paul', 'jean_paul'],
    ['marie2', 'marie3'],
    ['Noël', 'Noel'],
    ['анна', 'anna'],
  ])('differs for %s and %s, which honest people choose', (one, other) => {
    expect(skeletonOf(other)).not.toBe(skeletonOf(one))
  })
})

describe('isReserved', () => {
  it.each([
    ...['admin', 'Admin', 'аdmin', 'adm1n', '4dmin', 'admin2', 'admin_01', 'a.d.m.i.n', 'ADMlN'],
    ...['support', 'Supp0rt', 'Équipe', 'equipe-revelations', 'Révélations', 'revelations.fr'],
    ...['Sécurité', 'moderateur', 'Contact', 'root', 'system', 'officiel'],
    ...['la.moderation', 'revelations_officiel', 'service-client', 'support.de.revelations'],
  ])('reserves %s', (pseudo) => {
    expect(isReserved(pseudo)).toBe(true)
  })

  it.each([
    ...['Adminou', 'Camille', 'aider', 'Aimée', 'Contacta', 'Modeste', 'Roots_Zoe', 'LeGall'],
    ...['Zoe_revelations', 'les_revelations_de_zoe', 'Infante', 'personne_1', 'Teamo', '1234'],
  ])('allows %s', (pseudo) => {
    expect(isReserved(pseudo)).toBe(false)
  })
})
