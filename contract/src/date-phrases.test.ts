import { describe, expect, test } from 'vitest'
import { instantInWords } from './date-in-words.ts'
import { phraseOfMoment, readDatePhrase } from './date-phrases.ts'
import { easterOf, feastOf } from './feasts.ts'
import type { PhraseContext } from './phrase-days.ts'
import { instantOf } from './zoned-time.ts'

// A Friday, 13:00 in Brussels.
const NOW = new Date('2026-11-20T12:00:00Z')

function read(phrase: string, rest: Partial<PhraseContext> = {}) {
  return readDatePhrase(phrase, { now: NOW, timeZone: 'Europe/Brussels', ...rest })
}

/** « 2026-11-21 », « 2026-11-21 08:00 »; what else became of it otherwise. */
function momentOf(phrase: string, rest: Partial<PhraseContext> = {}): string | undefined {
  const reading = read(phrase, rest)
  if (!reading) return undefined
  if ('needs' in reading) return 'needs a birthday'
  if ('passed' in reading) return 'passed'
  return [reading.day, reading.time].filter(Boolean).join(' ')
}

describe('a phrase', () => {
  test.each([
    // Near days.
    ['demain', '2026-11-21'],
    ['Demain', '2026-11-21'],
    ['  demain ! ', '2026-11-21'],
    ['pour demain', '2026-11-21'],
    ['après-demain', '2026-11-22'],
    ['après demain', '2026-11-22'],
    ['ce soir', '2026-11-20 20:00'],
    ['ce soir à 22h', '2026-11-20 22:00'],
    ['ce soir à minuit', '2026-11-21 00:00'],
    ['demain matin', '2026-11-21 08:00'],
    ['demain midi', '2026-11-21 12:00'],
    ['demain à midi', '2026-11-21 12:00'],
    ['demain après-midi', '2026-11-21 15:00'],
    ['demain soir', '2026-11-21 20:00'],
    ['demain matin à 9 h', '2026-11-21 09:00'],
    ['demain soir à 8 h', '2026-11-21 20:00'],
    ['demain à 18 h', '2026-11-21 18:00'],
    ['demain 18h30', '2026-11-21 18:30'],
    ['demain à 18 h 30', '2026-11-21 18:30'],
    ['demain à 18:05', '2026-11-21 18:05'],
    ['demain à 9 heures du soir', '2026-11-21 21:00'],
    ['demain à 9 heures du matin', '2026-11-21 09:00'],
    ['demain à 9 heures et demie', '2026-11-21 09:30'],
    ['demain à midi et demi', '2026-11-21 12:30'],
    ['à 18 h demain', '2026-11-21 18:00'],
    ['aujourd’hui à 18 h', '2026-11-20 18:00'],
    ['à 18 h', '2026-11-20 18:00'],
    ['à 9 h', '2026-11-21 09:00'],
    ['à minuit', '2026-11-21 00:00'],
    ['la semaine prochaine', '2026-11-27'],
    ['le mois prochain', '2026-12-20'],
    ['l’an prochain', '2027-11-20'],
    ["l'année prochaine", '2027-11-20'],
    ['ce week-end', '2026-11-21'],
    ['à la fin du mois', '2026-11-30'],
    ['fin de l’année', '2026-12-31'],
    // Days of the week.
    ['lundi', '2026-11-23'],
    ['lundi prochain', '2026-11-23'],
    ['vendredi', '2026-11-27'],
    ['samedi soir', '2026-11-21 20:00'],
    ['samedi à 18 h', '2026-11-21 18:00'],
    ['samedi soir à minuit', '2026-11-22 00:00'],
    ['lundi en huit', '2026-11-30'],
    ['lundi en quinze', '2026-12-07'],
    ['dimanche', '2026-11-22'],
    // Spans.
    ['dans un jour', '2026-11-21'],
    ['dans 3 jours', '2026-11-23'],
    ['dans trois jours à 18 h', '2026-11-23 18:00'],
    ['dans deux semaines', '2026-12-04'],
    ['dans un mois', '2026-12-20'],
    ['dans six mois', '2027-05-20'],
    ['dans un mois et demi', '2027-01-04'],
    ['dans un an', '2027-11-20'],
    ['dans 1 an', '2027-11-20'],
    ['dans une année', '2027-11-20'],
    ['dans un an et demi', '2028-05-20'],
    ['dans deux ans et trois mois', '2029-02-20'],
    ['dans dix ans', '2036-11-20'],
    ['dans vingt et un ans', '2047-11-20'],
    ['dans trente-deux ans', '2058-11-20'],
    ['dans soixante-dix-sept ans', '2103-11-20'],
    ['dans quatre-vingts ans', '2106-11-20'],
    ['dans quatre-vingt-dix-neuf ans', '2125-11-20'],
    ['dans nonante ans', '2116-11-20'],
    ['dans un siècle', '2126-11-19'],
    ['dans une décennie', '2036-11-20'],
    ['d’ici un an', '2027-11-20'],
    ['d’ici à dix jours', '2026-11-30'],
    ['dans 5 minutes', '2026-11-20 13:05'],
    ['dans une heure', '2026-11-20 14:00'],
    ['dans deux heures', '2026-11-20 15:00'],
    ['dans une heure et demie', '2026-11-20 14:30'],
    ['dans une demi-heure', '2026-11-20 13:30'],
    ['dans trois quarts d’heure', '2026-11-20 13:45'],
    ['dans 12 heures', '2026-11-21 01:00'],
    // Dates.
    ['le 3 mai', '2027-05-03'],
    ['3 mai', '2027-05-03'],
    ['3 mai 2030', '2030-05-03'],
    ['le 3 mai 2030 à 18h30', '2030-05-03 18:30'],
    ['le trois mai', '2027-05-03'],
    ['le 1ᵉʳ janvier', '2027-01-01'],
    ['le 1er janvier', '2027-01-01'],
    ['le premier janvier', '2027-01-01'],
    ['le 1ᵉʳ janvier à minuit', '2027-01-01 00:00'],
    ['le 20 novembre', '2027-11-20'],
    ['le 20 novembre à 18 h', '2026-11-20 18:00'],
    ['le 21 novembre', '2026-11-21'],
    ['samedi 21 novembre 2026', '2026-11-21'],
    ['le samedi 21 novembre', '2026-11-21'],
    ['dimanche 21 novembre 2026', undefined],
    ['le 15', '2026-12-15'],
    ['le 31', '2026-12-31'],
    ['3/5/2030', '2030-05-03'],
    ['03/05/30', '2030-05-03'],
    ['le 3/5', '2027-05-03'],
    ['2030-05-03', '2030-05-03'],
    ['2030-05-03 à 8 h', '2030-05-03 08:00'],
    ['en mars', '2027-03-01'],
    ['en mars 2030', '2030-03-01'],
    ['début mars', '2027-03-01'],
    ['mi-mars', '2027-03-15'],
    ['fin mars', '2027-03-31'],
    ['fin février 2028', '2028-02-29'],
    ['au mois d’août', '2027-08-01'],
    ['en 2040', '2040-01-01'],
    ['au printemps', '2027-03-21'],
    ['à l’été 2030', '2030-06-21'],
    ['à l’automne', '2027-09-21'],
    ['en hiver', '2026-12-21'],
    ['cet hiver', '2026-12-21'],
    // Feasts.
    ['à Noël', '2026-12-25'],
    ['Noël', '2026-12-25'],
    ['à Noël prochain', '2026-12-25'],
    ['à Noël 2030', '2030-12-25'],
    ['à Noël à midi', '2026-12-25 12:00'],
    ['la veille de Noël', '2026-12-24'],
    ['le réveillon', '2026-12-24'],
    ['au réveillon du nouvel an', '2026-12-31'],
    ['au nouvel an', '2027-01-01'],
    ['le jour de l’an', '2027-01-01'],
    ['à la Saint-Sylvestre', '2026-12-31'],
    ['à la St-Sylvestre', '2026-12-31'],
    ['à la Saint-Valentin', '2027-02-14'],
    ['à Pâques', '2027-03-28'],
    ['le lundi de Pâques', '2027-03-29'],
    ['à l’Ascension', '2027-05-06'],
    ['à la Pentecôte', '2027-05-16'],
    ['à la Toussaint', '2027-11-01'],
    ['à la Chandeleur', '2027-02-02'],
    ['le 14 juillet', '2027-07-14'],
    ['au 14 juillet', '2027-07-14'],
    ['le 21 juillet', '2027-07-21'],
    ['à la fête du travail', '2027-05-01'],
    ['à la fête des mères', '2027-05-09'],
    ['pour la fête des pères', '2027-06-13'],
    ['à la Saint-Nicolas', '2026-12-06'],
  ])('« %s » is %s', (phrase, moment) => {
    expect(momentOf(phrase)).toBe(moment)
  })

  test.each([
    ...['', ' ', 'jamais', 'un jour', 'quand elle sera grande', 'dans', 'dans longtemps', '12'],
    ...['le 31 février', 'le 32 mai', 'le 3 mais', '31/2/2030', '2030-13-01', 'en 2040 ou 2041'],
    ...['demain à 25 h', 'demain à 18h75', 'demain demain', 'le 29 février 2027', 'dans 0 jour'],
    ...['dans un jour et demi', 'mardi en mars', 'Noël Noël', '18', 'dans 9999 ans'],
  ])('« %s » is not understood', (phrase) => {
    expect(momentOf(phrase)).toBeUndefined()
  })

  test.each([
    ...[
      'le 3 mai 2020',
      '2026-11-20',
      'hier',
      'avant-hier',
      'aujourd’hui',
      'aujourd’hui à 9 h',
      'à Noël 2025',
      'en 2026',
    ],
  ])('« %s » has passed', (phrase) => {
    expect(momentOf(phrase)).toBe('passed')
  })
})

describe('an age', () => {
  const birthDay = '2010-02-28'

  test.each([
    ['pour ses 18 ans', '2028-02-28'],
    ['pour ses dix-huit ans', '2028-02-28'],
    ['le jour de ses 20 ans à 18 h', '2030-02-28 18:00'],
    ['à sa majorité', '2028-02-28'],
    ['quand elle aura 18 ans', '2028-02-28'],
    ['pour son anniversaire', '2027-02-28'],
    ['pour mes 30 ans', '2040-02-28'],
    ['pour ses 10 ans', 'passed'],
  ])('« %s » counts from the birthday', (phrase, moment) => {
    expect(momentOf(phrase, { birthDay })).toBe(moment)
    expect(momentOf(phrase)).toBe('needs a birthday')
  })

  test('of a 29 February is on the 28 in other years, and says so', () => {
    const leap = { birthDay: '2012-02-29' }
    expect(read('pour ses 18 ans', leap)).toMatchObject({
      day: '2030-02-28',
      note: 'Cette année-là n’a pas de 29\u00A0février\u202F: ce sera le\u00A028.',
    })
    expect(read('pour ses 20 ans', leap)).toMatchObject({ day: '2032-02-29' })
    expect(read('pour ses 20 ans', leap)).not.toHaveProperty('note')
  })
})

describe('the calendar', () => {
  test.each([
    ['le 29 février', '2026-11-20T12:00:00Z', '2028-02-29'],
    ['dans un an', '2028-02-29T12:00:00Z', '2029-02-28'],
    ['dans un mois', '2027-01-31T12:00:00Z', '2027-02-28'],
    ['le mois prochain', '2028-01-30T12:00:00Z', '2028-02-29'],
    ['à Noël', '2026-12-25T12:00:00Z', '2027-12-25'],
    ['à Noël à 18 h', '2026-12-25T12:00:00Z', '2026-12-25 18:00'],
    ['le 31', '2027-01-31T12:00:00Z', '2027-03-31'],
    ['fin du mois', '2026-11-30T12:00:00Z', '2026-12-31'],
    ['en mars', '2027-03-02T12:00:00Z', '2028-03-01'],
    ['demain', '2026-12-31T22:30:00Z', '2027-01-01'],
    ['demain', '2026-12-31T23:30:00Z', '2027-01-02'],
    // The clocks go on by an hour on 28 March 2027, and back on 31 October.
    ['dans 2 heures', '2027-03-28T00:30:00Z', '2027-03-28 04:30'],
    ['dans 12 heures', '2027-10-30T22:30:00Z', '2027-10-31 11:30'],
    ['dans une heure', '2027-10-31T00:30:00Z', '2027-10-31 03:30'],
    ['dans 1 minute', '2026-11-20T12:00:20Z', '2026-11-20 13:02'],
  ])('reads « %s » at %s as %s', (phrase, now, moment) => {
    expect(momentOf(phrase, { now: new Date(now) })).toBe(moment)
  })

  test.each([
    ['Pacific/Auckland', 'demain', '2026-11-22'],
    ['America/Los_Angeles', 'demain', '2026-11-21'],
    ['Pacific/Kiritimati', 'à 9 h', '2026-11-21 09:00'],
    ['America/Cayenne', 'ce soir', '2026-11-20 20:00'],
    ['Europe/Paris', 'à la fête des mères', '2027-05-30'],
    ['Europe/Paris', 'à la fête des pères', '2027-06-20'],
  ])('of %s reads « %s » as %s', (timeZone, phrase, moment) => {
    expect(momentOf(phrase, { timeZone })).toBe(moment)
  })

  test('never gives an instant that has passed, in any zone', () => {
    const phrases = ['demain', 'dans 5 minutes', 'à 18 h', 'lundi', 'à Noël', 'le 20', 'en mars']
    for (const timeZone of ['Europe/Brussels', 'Pacific/Apia', 'America/Havana', 'Asia/Kolkata']) {
      for (let hours = 0; hours < 400; hours += 11) {
        const now = new Date(NOW.getTime() + hours * 3_600_000)
        for (const phrase of phrases) {
          const reading = readDatePhrase(phrase, { now, timeZone })
          if (!reading || !('day' in reading)) throw new Error(`${phrase} at ${now.toISOString()}`)
          const instant = instantOf(reading.day, reading.time ?? '00:00', timeZone)
          expect(instant.getTime()).toBeGreaterThan(now.getTime())
        }
      }
    }
  })

  test('has Easter where the tables have it', () => {
    const days = [1961, 2000, 2008, 2024, 2026, 2038, 2100].map(easterOf)
    expect(days).toEqual([
      ...['1961-04-02', '2000-04-23', '2008-03-23', '2024-03-31', '2026-04-05', '2038-04-25'],
      '2100-03-28',
    ])
    expect(feastOf('fete des meres', 2031, 'Europe/Paris')).toBe('2031-05-25')
    // The last Sunday of May is Pentecost.
    expect(feastOf('fete des meres', 2023, 'Europe/Paris')).toBe('2023-06-04')
  })
})

describe('what was heard', () => {
  test('is said back as the clocks of the zone show it', () => {
    expect(read('le 1ᵉʳ janvier')).toEqual({
      day: '2027-01-01',
      time: undefined,
      heard: 'vendredi 1 janvier 2027 à 00:00 (heure de Bruxelles)',
    })
    expect(read('à Noël 2025')).toEqual({
      passed: 'jeudi 25 décembre 2025 à 00:00 (heure de Bruxelles)',
    })
  })

  test('at midnight names the night, and offers the next one', () => {
    expect(read('le 1ᵉʳ janvier à minuit')).toMatchObject({
      note: 'Dans la nuit du jeudi 31 au vendredi 1.',
      other: { day: '2027-01-02', time: '00:00', label: 'Plutôt la nuit d’après' },
    })
    expect(read('samedi soir à minuit')).not.toHaveProperty('other')
  })

  test('of « le réveillon » offers the other one', () => {
    expect(read('au réveillon à 20 h')).toMatchObject({
      day: '2026-12-24',
      other: { day: '2026-12-31', time: '20:00', label: 'Plutôt celui du 31' },
    })
  })

  test('is what a picked moment is written as', () => {
    for (const [day, time] of [
      ['2026-11-21', ''],
      ['2028-02-29', '18:30'],
      ['2100-03-01', '00:05'],
    ] as const) {
      const phrase = phraseOfMoment(day, time)
      expect(read(phrase)).toMatchObject({
        heard: instantInWords(
          instantOf(day, time || '00:00', 'Europe/Brussels'),
          'Europe/Brussels',
        ),
      })
      expect(momentOf(phrase)).toBe([day, time].filter(Boolean).join(' '))
    }
  })
})
