import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EnvelopeRow, findEnvelope } from '#server/features/access/envelopes.service.ts'
import { grantAuthor } from '#server/features/access/grants.service.ts'
import { A_DAY_MS, createRevelation, relate, revelationBody, toAll } from '#testing/factories.ts'
import { untilWaiting } from '#testing/statements.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { openTexts } from './letters.service.ts'

const START = new Date('2026-11-20T12:00:00.000Z')
const NOBODY = '00000000-0000-4000-8000-000000000000'
const HAS_UNSEEN =
  'Ce texte contient des caractères invisibles ou qui en renversent la lecture. Effacez-le et retapez-le.'
let server: TestApp
let author: Person

beforeAll(async () => {
  server = await startTestServer({ now: START })
})
afterAll(() => server.close())

/** Free accounts hold five: each group of cases has its own author. */
async function newAuthor(): Promise<void> {
  server.clock.now = START
  author = await signedIn(server)
}

function get(id: string, as?: Person) {
  return server.call('GET', `/api/revelations/${id}`, { as })
}

describe('sealing', () => {
  beforeAll(newAuthor)

  it('gives the author the letter, and everybody else the envelope until the instant', async () => {
    const sealed = await createRevelation(server, author, { content: 'Le mot secret est ananas.' })
    expect(sealed).toMatchObject({
      content: 'Le mot secret est ananas.',
      target_email: 'destinataire@exemple.test',
      visibility: 'public',
      category: 'general',
      is_private: false,
      is_revealed: false,
      version: 1,
      time_zone: 'Europe/Brussels',
      can: { edit: true, delete: true },
    })
    expect(sealed.commitment).toMatch(/^[0-9a-f]{64}$/)
    const envelope = (await get(sealed.id)).body.revelation
    expect(envelope).toMatchObject({ title: sealed.title, target_email: 'd•••@e•••.test' })
    for (const key of ['content', 'file_url', 'file_name', 'file_size', 'duration', 'delivery']) {
      expect(envelope).not.toHaveProperty(key)
    }
    server.clock.now = new Date(sealed.reveal_date)
    expect((await get(sealed.id)).body.revelation).toMatchObject({
      is_revealed: true,
      content: 'Le mot secret est ananas.',
    })
    server.clock.now = START
  })

  it.each<[body: object, kind: string, visibility: string]>([
    [{}, 'letter', 'public'],
    [{ visibility: 'family' }, 'letter', 'family'],
    [{ is_private: true }, 'letter', 'private'],
    [{ visibility: 'public', is_private: true }, 'letter', 'private'],
    [{ own: true }, 'capsule', 'public'],
    [{ own: true, visibility: 'private' }, 'capsule', 'private'],
    [{ own: true, is_private: true }, 'capsule', 'private'],
    [{ own: true, kind: 'letter' }, 'letter', 'private'],
    [{ kind: 'letter' }, 'letter', 'private'],
    [{ kind: 'letter', visibility: 'public' }, 'letter', 'public'],
    [{ kind: 'capsule' }, 'capsule', 'private'],
    [{ kind: 'prediction' }, 'prediction', 'public'],
    [{ kind: 'prediction', visibility: 'private' }, 'prediction', 'private'],
    [{ kind: 'prediction', is_private: true }, 'prediction', 'private'],
    [{ kind: 'announcement' }, 'announcement', 'public'],
    [{ kind: 'announcement', is_private: false }, 'announcement', 'public'],
  ])(
    'of %j is a %s, which is %s',
    async ({ own, ...body }: { own?: boolean }, kind, visibility) => {
      await newAuthor()
      const target_email = own ? author.email : 'destinataire@exemple.test'
      const sealed = await createRevelation(server, author, { ...body, target_email })
      expect(sealed).toMatchObject({ kind, visibility })
    },
  )

  it('to oneself and to somebody is a letter; of another kind it is refused', async () => {
    await newAuthor()
    const both = toAll(author.email, 'destinataire@exemple.test')
    expect((await createRevelation(server, author, both)).kind).toBe('letter')
    const body = revelationBody(server, { kind: 'genre' })
    expect(await server.call('POST', '/api/revelations', { as: author, body })).toMatchObject({
      status: 400,
      body: { fields: { kind: 'Ce genre n’existe pas' } },
    })
  })

  it('takes the camelCase names of older clients, and ignores what a client may not decide', async () => {
    const { status, body } = await server.call('POST', '/api/revelations', {
      as: author,
      body: {
        title: 'Avec les anciens noms',
        content: 'Dix caractères au moins.',
        targetEmail: 'autre@exemple.test',
        revealDate: '2026-12-25',
        isPrivate: true,
        is_revealed: true,
        author_id: NOBODY,
        views_count: 1000,
        created_at: '1999-01-01T00:00:00.000Z',
      },
    })
    expect(status).toBe(201)
    expect(body.revelation).toMatchObject({
      author_id: author.id,
      target_email: 'autre@exemple.test',
      reveal_date: '2026-12-24T23:00:00.000Z',
      visibility: 'private',
      is_revealed: false,
      views_count: 0,
      created_at: START.toISOString(),
    })
  })

  it.each([
    [{ title: '' }, 'title', 'Le titre est requis'],
    [{ title: undefined }, 'title', 'Le titre est requis'],
    [{ title: '  ab  ' }, 'title', 'Le titre doit contenir au moins 3 caractères'],
    [{ title: '\u200B\u3164\u2800' }, 'title', 'Le titre est requis'],
    [{ title: 'a\u200B\u200Bb' }, 'title', 'Le titre doit contenir au moins 3 caractères'],
    [{ title: 'Une lettre \u202Egpj.exe' }, 'title', HAS_UNSEEN],
    [{ title: 'a'.repeat(121) }, 'title', 'Le titre ne peut pas dépasser 120 caractères'],
    [{ content: '' }, 'content', 'Le contenu est requis'],
    [{ content: 'trop peu' }, 'content', 'Le contenu doit contenir au moins 10 caractères'],
    [
      { content: 'a'.repeat(20_001) },
      'content',
      'Le contenu ne peut pas dépasser 20\u00A0000 caractères',
    ],
    [
      { content: 'un caractère nul \0 ici' },
      'content',
      'Ce texte contient des caractères illisibles',
    ],
    [
      { content: 'une moitié de paire \ud83d ici' },
      'content',
      'Ce texte contient des caractères illisibles',
    ],
    [{ target_email: '' }, 'target_email', "L'email du destinataire est requis"],
    [{ target_email: 'a@x.fr,b@y.fr' }, 'target_email', 'Format email invalide'],
    [{ target_email: 'sans arobase' }, 'target_email', 'Format email invalide'],
    [{ target_email: 'x@y.fr\r\nBcc: z@y.fr' }, 'target_email', 'Format email invalide'],
    [{ time_zone: 5 }, 'time_zone', 'Ce fuseau horaire n’existe pas'],
    [{ is_private: 'oui' }, 'is_private', 'Cette visibilité n’existe pas'],
    [{ file_type: {} }, 'file_type', 'Type de fichier non autorisé'],
    [{ reveal_date: '' }, 'reveal_date', 'La date de révélation est requise'],
    [{ reveal_date: undefined }, 'reveal_date', 'La date de révélation est requise'],
    [{ reveal_date: 'demain' }, 'reveal_date', 'La date de révélation n’est pas valide'],
    [{ reveal_date: '2027-02-30' }, 'reveal_date', 'La date de révélation n’est pas valide'],
    [
      { reveal_date: '2026-11-19' },
      'reveal_date',
      'La date de révélation ne peut pas être dans le passé',
    ],
    [
      { reveal_date: '2127-01-01' },
      'reveal_date',
      'La date de révélation est trop lointaine (100 ans au plus)',
    ],
    [{ time_zone: 'Mars/Olympus' }, 'time_zone', 'Ce fuseau horaire n’existe pas'],
    [{ category: 'autre' }, 'category', 'Cette catégorie n’existe pas'],
    [{ visibility: 'tous' }, 'visibility', 'Cette visibilité n’existe pas'],
    [{ file_url: '/api/secure-file/videos/../../x.mp4' }, 'file_url', 'Fichier invalide'],
    [{ file_url: 3 }, 'file_url', 'Fichier invalide'],
    [
      { teaser_start: 0, teaser_end: 31 },
      'teaser_end',
      'Le teaser dépasse la durée maximale autorisée',
    ],
    [
      { teaser_start: 2, teaser_end: 2.5 },
      'teaser_end',
      'La fin de l’extrait doit être au moins 1\u00A0s après son début',
    ],
  ])('refuses %o with a sentence under %s', async (change, field, sentence) => {
    const { status, body } = await server.call('POST', '/api/revelations', {
      as: author,
      body: { ...revelationBody(server), ...change },
    })
    expect(status).toBe(400)
    expect(body).toEqual({ error: sentence, code: 'invalid_input', fields: { [field]: sentence } })
  })

  it('is for signed-in people', async () => {
    expect((await server.call('POST', '/api/revelations', { body: {} })).status).toBe(401)
  })

  it('stops a free account at five, exactly, when fifty are sent at once', async () => {
    const person = await signedIn(server)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        server.call('POST', '/api/revelations', { as: person, body: revelationBody(server) }),
      ),
    )
    const statuses = answers.map((answer) => answer.status).sort()
    expect(statuses).toEqual([...Array(5).fill(201), ...Array(45).fill(403)])
    expect(answers.find((answer) => answer.status === 403)?.body.code).toBe('plan_limit')
  })
})

describe('editing', () => {
  beforeAll(newAuthor)

  it('seals a new version when the letter changes, not when the category does', async () => {
    const sealed = await createRevelation(server, author)
    const edit = (body: object) =>
      server.call('PUT', `/api/revelations/${sealed.id}`, { as: author, body })
    const recategorised = (await edit({ category: 'travel' })).body.revelation
    expect(recategorised).toMatchObject({ version: 1, commitment: sealed.commitment })
    const rewritten = (await edit({ content: 'Une tout autre lettre.' })).body.revelation
    expect(rewritten).toMatchObject({ version: 2, category: 'travel', title: sealed.title })
    expect(rewritten.commitment).not.toBe(sealed.commitment)
    const { rows } = await server.ctx.pool.query(
      'select kind, version from seals where revelation_id = $1 order by position',
      [sealed.id],
    )
    expect(rows).toEqual([
      { kind: 'create', version: 1 },
      { kind: 'edit', version: 2 },
    ])
  })

  it('freezes what was said once it is revealed, and lets the audience narrow only', async () => {
    const sealed = await createRevelation(server, author, { visibility: 'friends' })
    server.clock.now = new Date(sealed.reveal_date)
    const edit = (body: object) =>
      server.call('PUT', `/api/revelations/${sealed.id}`, { as: author, body })
    for (const change of [
      { title: 'Un autre titre' },
      { content: 'Une tout autre lettre.' },
      { target_email: 'autre@exemple.test' },
      { reveal_date: '2027-05-05' },
      { file_url: '/api/secure-file/videos/x.mp4' },
    ]) {
      const { status, body } = await edit(change)
      expect([status, body.error]).toEqual([
        409,
        'Une révélation dévoilée ne peut plus être modifiée',
      ])
    }
    expect((await edit({ visibility: 'public' })).body.code).toBe('visibility_widened')
    const narrowed = await edit({ visibility: 'private', category: 'love', title: sealed.title })
    expect(narrowed.body.revelation).toMatchObject({ visibility: 'private', category: 'love' })
    server.clock.now = START
  })

  it('starts anew with another addressee, who was told nothing yet', async () => {
    await newAuthor()
    const sealed = await createRevelation(server, author)
    const notify = () =>
      server.call('POST', '/api/email/notify-revelation', {
        as: author,
        body: { revelationId: sealed.id },
      })
    expect((await notify()).body).toEqual({ queued: true })
    expect((await notify()).body).toEqual({ queued: false })
    const moved = await server.call('PUT', `/api/revelations/${sealed.id}`, {
      as: author,
      body: { target_email: 'nouvelle@exemple.test' },
    })
    expect(moved.body.revelation.delivery.notified_at).toBeNull()
    await server.runJobs()
    expect(server.mailbox.lastTo('nouvelle@exemple.test')).toBeUndefined()
    expect((await notify()).body).toEqual({ queued: true })
    await server.runJobs()
    expect(server.mailbox.lastTo('nouvelle@exemple.test')?.subject).toBeTruthy()
  })

  it('is for the author: 403 when it is seen, 404 when it is hidden', async () => {
    const shown = await createRevelation(server, author)
    const hidden = await createRevelation(server, author, { visibility: 'private' })
    const stranger = await signedIn(server)
    const edit = (id: string) =>
      server.call('PUT', `/api/revelations/${id}`, { as: stranger, body: { title: 'À moi' } })
    expect((await edit(shown.id)).body.error).toBe(
      "Vous n'êtes pas autorisé à modifier cette révélation",
    )
    expect((await edit(shown.id)).status).toBe(403)
    expect((await edit(hidden.id)).text).toBe((await edit(NOBODY)).text)
    expect((await edit(hidden.id)).status).toBe(404)
  })

  it('moves to tomorrow at the earliest', async () => {
    const sealed = await createRevelation(server, author)
    const { status, body } = await server.call('PUT', `/api/revelations/${sealed.id}`, {
      as: author,
      body: { reveal_date: '2026-11-20T20:00:00Z' },
    })
    expect([status, body.fields.reveal_date]).toEqual([
      400,
      'La date de révélation doit être au plus tôt demain',
    ])
  })
})

describe('editing at the instant', () => {
  beforeAll(newAuthor)

  it('opens no version but the one the gate spoke of', async () => {
    const sealed = await createRevelation(server, author)
    const judged = (await findEnvelope(server.ctx, sealed.id)) as EnvelopeRow
    const open = async () => {
      const right = grantAuthor({ userId: author.id }, [judged])
      return right && (await openTexts(server.ctx, right, [judged])).get(sealed.id)?.content
    }
    expect(await open()).toBe(sealed.content)
    await server.call('PUT', `/api/revelations/${sealed.id}`, {
      as: author,
      body: { reveal_date: '2027-12-25' },
    })
    expect(await open()).toBeUndefined()
  })

  it('refuses an edit that is still waiting when the instant comes', async () => {
    const sealed = await createRevelation(server, author)
    const other = await server.ctx.pool.connect()
    try {
      await other.query('begin')
      await other.query('select from deliveries where revelation_id = $1 for update', [sealed.id])
      const edit = server.call('PUT', `/api/revelations/${sealed.id}`, {
        as: author,
        body: { content: 'Une tout autre lettre.', reveal_date: '2027-12-25' },
      })
      await untilWaiting(other)
      server.clock.now = new Date(sealed.reveal_date)
      await other.query('commit')
      expect((await edit).body.code).toBe('revelation_revealed')
      expect((await get(sealed.id)).body.revelation).toMatchObject({
        is_revealed: true,
        content: sealed.content,
        version: 1,
      })
    } finally {
      await other.query('rollback')
      other.release()
      server.clock.now = START
    }
  })
})

describe('an id', () => {
  beforeAll(newAuthor)

  it('is the same in capitals', async () => {
    const sealed = await createRevelation(server, author)
    const { body } = await get(sealed.id.toUpperCase(), author)
    expect(body.revelation).toMatchObject({ id: sealed.id, content: sealed.content })
  })
})

describe('a damaged letter', () => {
  beforeAll(newAuthor)

  it('takes no other with it, in lists, searches or the index', async () => {
    const reveal_date = server.clock.now.toISOString()
    const damaged = await createRevelation(server, author, { reveal_date })
    const sound = await createRevelation(server, author, {
      reveal_date,
      content: 'Une lettre intacte, avec un kumquat.',
    })
    await server.ctx.db
      .updateTable('revelations')
      .set({ sealedContent: Buffer.from('abîmée') })
      .where('id', '=', damaged.id)
      .execute()
    await server.runJobs()
    const list = await server.call('GET', `/api/revelations?author=${author.id}`)
    expect(list.body.revelations).toHaveLength(2)
    const found = await server.call('GET', '/api/revelations?q=kumquat')
    expect(found.body.revelations.map(({ id }: { id: string }) => id)).toEqual([sound.id])
    const alone = await get(damaged.id, author)
    expect(alone.status).toBe(200)
    expect(alone.body.revelation).not.toHaveProperty('content')
  })
})

describe('deleting', () => {
  beforeAll(newAuthor)

  it('takes key and letter away at once and keeps only the record of the seal', async () => {
    const sealed = await createRevelation(server, author)
    const stranger = await signedIn(server)
    const foreign = await server.call('DELETE', `/api/revelations/${sealed.id}`, { as: stranger })
    expect(foreign.status).toBe(403)
    const gone = await server.call('DELETE', `/api/revelations/${sealed.id}`, { as: author })
    expect(gone.body).toEqual({ success: true })
    expect((await get(sealed.id, author)).text).toBe((await get(NOBODY, author)).text)
    const { rows } = await server.ctx.pool.query(
      'select kind from seals where revelation_id = $1 order by position',
      [sealed.id],
    )
    expect(rows.map(({ kind }) => kind)).toEqual(['create', 'delete'])
    const again = await server.call('DELETE', `/api/revelations/${sealed.id}`, { as: author })
    expect(again.status).toBe(404)
  })
})

describe('views', () => {
  beforeAll(newAuthor)

  it('count once a day per viewer and never the author', async () => {
    const sealed = await createRevelation(server, author)
    const reader = await signedIn(server)
    const view = async (as?: Person, userAgent = 'un navigateur') =>
      (
        await server.call('POST', `/api/revelations/${sealed.id}/view`, {
          as,
          headers: { 'user-agent': userAgent },
        })
      ).body.views_count
    expect(await view(author)).toBe(0)
    expect(await view(reader)).toBe(1)
    expect(await view(reader)).toBe(1)
    expect(await view()).toBe(2)
    expect(await view()).toBe(2)
    expect(await view(undefined, 'un autre')).toBe(3)
    server.clock.advance(A_DAY_MS)
    expect(await view(reader)).toBe(4)
    server.clock.now = START
  })

  it('of what is being deleted find nothing', async () => {
    const sealed = await createRevelation(server, author)
    const other = await server.ctx.pool.connect()
    try {
      await other.query('begin')
      await other.query('delete from revelations where id = $1', [sealed.id])
      const view = server.call('POST', `/api/revelations/${sealed.id}/view`)
      await untilWaiting(other)
      await other.query('commit')
      expect((await view).status).toBe(404)
    } finally {
      await other.query('rollback')
      other.release()
    }
  })

  it('lose none when fifty people look at once', async () => {
    const sealed = await createRevelation(server, author)
    await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        server.call('POST', `/api/revelations/${sealed.id}/view`, {
          headers: { 'user-agent': `navigateur ${n}` },
        }),
      ),
    )
    expect((await get(sealed.id)).body.revelation.views_count).toBe(50)
  })
})

describe('ties', () => {
  beforeAll(newAuthor)

  it('open what is for friends and family at once, and close it as soon as they end', async () => {
    const friend = await signedIn(server)
    const sealed = await createRevelation(server, author, { visibility: 'friends' })
    expect((await get(sealed.id, friend)).status).toBe(404)
    await relate(server, friend, author, 'friend')
    expect((await get(sealed.id, friend)).status).toBe(200)
    await server.ctx.pool.query('delete from relationships')
    expect((await get(sealed.id, friend)).status).toBe(404)
  })
})
