import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '#server/context.ts'
import { hideRevelation } from '#server/features/revelations/revelations.service.ts'
import { typeset } from '#server/platform/mail/mail-content.ts'
import { aProgram } from '#testing/api-tokens.ts'
import { A_DAY_MS, createRevelation, relate, verifyEmail } from '#testing/factories.ts'
import { picture, toneAudio } from '#testing/media-files.ts'
import { aBrowser } from '#testing/push-service.ts'
import { readZip } from '#testing/read-zip.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'
import { createVoiceMessage, uploadVoice, VOICE_MESSAGES_URL } from '#testing/voice-messages.ts'

let server: TestApp
let author: Person
let other: Person

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server, { pseudo: 'autrice' })
  other = await signedIn(server, { pseudo: 'un.autre' })
  for (const { id } of [author, other]) {
    await server.ctx.db
      .insertInto('subscriptions')
      .values({ userId: id, plan: 'unlimited' })
      .execute()
  }
})
afterAll(() => server.close())

async function seal(by: Person, title: string, content: string, file?: Buffer, name = 'bague.png') {
  const sent = file && (await uploadFile(server, by, { bytes: file, name }))
  server.clock.advance(1_000)
  return createRevelation(server, by, { title, content, ...(sent ? { file_url: sent.url } : {}) })
}

async function exportJson(as: Person) {
  const { status, text } = await server.call('GET', '/api/auth/export', { as })
  expect(status).toBe(200)
  return { text, data: JSON.parse(text) }
}

async function download(url: string, as?: Person) {
  const headers = as ? { authorization: `Bearer ${as.token}` } : {}
  const answer = await server.app.inject({ url, headers })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}

async function exportZip(as: Person) {
  const { status, bytes } = await download('/api/auth/export?format=zip', as)
  expect(status).toBe(200)
  const files = readZip(bytes)
  const text = (name: string) => files.get(name)?.toString() ?? ''
  return { files, text, data: JSON.parse(text('donnees.json')), page: text('index.html') }
}

/** As `sha256sum -c` does it. */
function checkSums(files: Map<string, Buffer>): string[] {
  const lines = files.get('SHA256SUMS')?.toString().trim().split('\n') ?? []
  return lines.map((line) => {
    const [, sum, name = ''] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
    const bytes = files.get(name) ?? Buffer.alloc(0)
    expect(createHash('sha256').update(bytes).digest('hex'), name).toBe(sum)
    return name
  })
}

describe('an export', () => {
  it('holds the files of an album in their order, with their captions', async () => {
    const person = await signedIn(server)
    const file_urls: string[] = []
    for (const name of ['un.png', 'deux.png']) {
      const bytes = await picture('png')
      file_urls.push((await uploadFile(server, person, { bytes, name })).url)
    }
    await createRevelation(server, person, { file_urls, captions: [null, 'La seconde'] })
    const named = [
      { name: 'un.png', caption: null },
      { name: 'deux.png', caption: 'La seconde' },
    ]
    const { data } = await exportJson(person)
    expect(data.revelations).toMatchObject([{ file: named[0], files: named }])
    const zip = await exportZip(person)
    const paths = ['fichiers/0001-un.png', 'fichiers/0002-deux.png']
    expect(zip.data.revelations).toMatchObject([{ files: paths.map((path) => ({ path })) }])
    expect([...zip.files.keys()].slice(0, 2)).toEqual(paths)
    expect(zip.page).toMatch(/0001-un\.png.+0002-deux\.png.+<figcaption>La seconde<\/figcaption>/s)
  })

  it('holds all of one’s own, and nothing of a letter or an address of anybody else', async () => {
    await relate(server, author, other, 'friend')
    const stranger = await signedIn(server)
    const mine = await seal(author, 'Ma lettre', 'Je le savais depuis toujours.')
    const theirs = await seal(other, 'Leur lettre', 'Ceci n’est qu’à un autre.')
    await server.call('POST', '/api/comments', {
      as: author,
      body: { revelation_id: theirs.id, content: 'Hâte de lire' },
    })
    await server.call('POST', '/api/comments', {
      as: other,
      body: { revelation_id: mine.id, content: 'Le commentaire d’un autre' },
    })
    await server.call('POST', '/api/reactions', {
      as: author,
      body: { revelation_id: theirs.id, emoji: '🎉' },
    })
    await server.call('PUT', `/api/relationships/blocks/${stranger.id}`, { as: author })
    await server.call('POST', '/api/reports', {
      as: author,
      body: { target: 'revelation', target_id: theirs.id, reason: 'spam' },
    })
    const reminded = await server.call('PUT', `/api/revelations/${theirs.id}/reminder`, {
      as: author,
    })
    expect(reminded.status, reminded.text).toBe(200)
    const { subscription } = aBrowser('https://fcm.googleapis.com')
    await server.call('PUT', '/api/push/subscription', { as: author, body: subscription })
    const program = await aProgram(server, author, ['read'])
    const { data, text } = await exportJson(author)
    expect(data.notified_browsers).toMatchObject([{ device: expect.any(String) }])
    expect(data.profile).toMatchObject({ pseudo: 'autrice', email: author.email })
    expect(data.revelations).toMatchObject([
      {
        id: mine.id,
        title: 'Ma lettre',
        content: 'Je le savais depuis toujours.',
        recipients: [{ email: 'destinataire@exemple.test', name: null }],
        is_revealed: false,
        deliveries: [{ address: 'destinataire@exemple.test', state: 'planned' }],
      },
    ])
    expect(data.comments).toMatchObject([{ revelation_id: theirs.id, content: 'Hâte de lire' }])
    expect(data.reactions).toMatchObject([{ revelation_id: theirs.id, emoji: '🎉' }])
    // Anybody may have given an address that is not proved.
    expect(data.relationships).toMatchObject([
      { related_user: { pseudo: other.pseudo, email: null } },
    ])
    await verifyEmail(server, other)
    const { relationships } = (await exportJson(author)).data
    expect(relationships).toMatchObject([{ related_user: { email: other.email } }])
    expect(data.blocks).toMatchObject([{ id: stranger.id }])
    expect(data.reports).toMatchObject([{ target_id: theirs.id, reason: 'spam', state: 'open' }])
    expect(data.reminders).toMatchObject([{ revelation_id: theirs.id }])
    expect(data.sessions).toMatchObject([{ current: true }])
    expect(data.api_tokens).toMatchObject([{ name: 'Sauvegarde', scopes: ['read'] }])
    expect(data.stats.total_revelations).toBe(1)
    expect(data).toHaveProperty('preferences.emailNotifications')
    expect(data).toHaveProperty('notification_switches.push.reply')
    expect(data).toHaveProperty('subscription.subscription_type')
    for (const secret of [
      'Ceci n’est qu’à un autre',
      'Leur lettre',
      'Le commentaire d’un autre',
      stranger.email,
      author.token,
      program.token,
      subscription.endpoint,
      subscription.keys.auth,
    ]) {
      expect(text).not.toContain(secret)
    }
  })

  it('holds what was bought', async () => {
    const buyer = await signedIn(server)
    await server.call('POST', '/api/subscriptions/storage', {
      as: buyer,
      body: { storage_amount: 1024 },
    })
    const { data } = await exportJson(buyer)
    expect(data.purchases).toEqual([
      {
        plan: null,
        ends_at: null,
        storage_amount: 1024,
        price: 0.99,
        provider: 'demo',
        reference: expect.any(String),
        created_at: server.clock.now.toISOString(),
      },
    ])
    expect(data.subscription).toMatchObject({ additional_storage: 1024 })
  })

  it('as a ZIP holds every file to the byte, a page that links to it, and sums that match', async () => {
    const person = await signedIn(server)
    const image = await picture('png')
    const sound = await toneAudio('mp3', 1)
    await seal(person, 'Avec une image', 'Voici la bague.', image, 'bague : <l’autre> 100 %.png')
    await seal(person, 'Avec un son', 'Écoute bien.', sound, 'voix.mp3')
    const { id } = await seal(person, 'Masquée & <b>grasse</b>', '<script>alert(1)</script>')
    await inTransaction(server.ctx, (tx) => hideRevelation(tx, id))
    const { url } = await uploadFile(server, person, { bytes: await picture('png') })
    await server.call('PUT', '/api/auth/profile', { as: person, body: { avatar_url: url } })
    const { files, data, page } = await exportZip(person)
    expect(files.get('fichiers/0001-bague _ _l’autre_ 100 %.png')?.equals(image)).toBe(true)
    expect(files.get('fichiers/0002-voix.mp3')?.equals(sound)).toBe(true)
    expect(files.has('photo-de-profil.webp')).toBe(true)
    expect(checkSums(files).toSorted()).toEqual(
      [...files.keys()].filter((name) => name !== 'SHA256SUMS').toSorted(),
    )
    expect(data.revelations.map((one: { file: object | null }) => one.file)).toMatchObject([
      { state: 'whole', path: 'fichiers/0001-bague _ _l’autre_ 100 %.png', size: image.length },
      { state: 'whole', path: 'fichiers/0002-voix.mp3' },
      null,
    ])
    expect(page).toContain('<h2>Avec une image</h2>')
    const href = encodeURIComponent('0001-bague _ _l’autre_ 100 %.png')
    expect(page).toContain(`href="fichiers/${href}"`)
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page).not.toContain('<script')
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  })

  it('is readable for somebody who has nothing', async () => {
    const { files, data, page } = await exportZip(await signedIn(server))
    expect(checkSums(files)).toEqual(['donnees.json', 'index.html'])
    expect(data.revelations).toEqual([])
    expect(page).toContain('Aucune révélation.')
  })

  it('brings the rest when a file is gone or damaged, and says so on the page and in the JSON', async () => {
    const person = await signedIn(server)
    const names = ['perdu.png', 'abime.png', 'entier.png']
    const image = await picture('png')
    // Of several pieces, the last of which is damaged.
    const large = Buffer.concat([image, Buffer.alloc(5_000_000, 7)])
    for (const name of names) await seal(person, name, 'Dix caractères et plus.', large, name)
    const { rows } = await sql<{ key: string }>`
      select storage_key as key from media_objects join revelations using (media_id)
      where author_id = ${person.id} and variant = 'original' order by revelations.created_at`.execute(
      server.ctx.db,
    )
    const [lost = '', damaged = ''] = rows.map(({ key }) =>
      path.join(server.ctx.config.dataDir, 'files', key),
    )
    await rm(lost)
    const handle = await open(damaged, 'r+')
    await handle.write(Buffer.from('abîmé'), 0, 6, (await handle.stat()).size - 20)
    await handle.close()
    const { files, data, page } = await exportZip(person)
    const states = data.revelations.map((one: { file: { state: string } }) => one.file.state)
    expect(states).toEqual(['missing', 'incomplete', 'whole'])
    expect(files.get('fichiers/0003-entier.png')?.equals(large)).toBe(true)
    expect(files.has('fichiers/0001-perdu.png')).toBe(false)
    const whole = checkSums(files)
    expect(whole).toContain('fichiers/0003-entier.png')
    expect(whole.filter((name) => /perdu|abime/.test(name))).toEqual([])
    expect(whole.filter((name) => name.startsWith('preuves/'))).toHaveLength(names.length)
    expect(page).toContain(typeset('Fichier manquant : « perdu.png »'))
    expect(page).toContain('Fichier manquant en partie')
  })

  it('brings twenty thousand comments, each once', async () => {
    const person = await signedIn(server)
    const { id } = await seal(other, 'Très commentée', 'Dix caractères et plus.')
    await sql`insert into comments (id, revelation_id, author_id, content, created_at)
      select gen_random_uuid(), ${id}, ${person.id}, 'Mot ' || n, now()
      from generate_series(1, 20000) as n`.execute(server.ctx.db)
    const { data } = await exportJson(person)
    const said = new Set(data.comments.map((one: { content: string }) => one.content))
    expect([data.comments.length, said.size]).toEqual([20_000, 20_000])
  })
})

describe('an export of voices', () => {
  it('holds those that are open, and lists a sealed one without its bytes', async () => {
    const person = await signedIn(server)
    await relate(server, person, other, 'friend')
    const [open, waiting] = [await toneAudio('mp3', 1), await toneAudio('wav', 1)]
    const reveal_date = new Date(server.clock.now.getTime() + A_DAY_MS).toISOString()
    await createVoiceMessage(server, person, {
      title: 'La voix ouverte',
      description: 'Elle dit bonjour.',
      file_url: await uploadVoice(server, person, { bytes: open, name: 'ouverte.mp3' }),
      recipient_id: other.id,
    })
    server.clock.advance(1_000)
    await createVoiceMessage(server, person, {
      title: 'La voix scellée',
      description: 'Elle dira bonsoir.',
      file_url: await uploadVoice(server, person, { bytes: waiting, name: 'scellee.wav' }),
      reveal_date,
    })
    const before = await exportZip(person)
    expect(before.data.sounds).toMatchObject([
      {
        title: 'La voix ouverte',
        description: 'Elle dit bonjour.',
        is_public: false,
        recipient: { id: other.id, pseudo: other.pseudo },
        is_revealed: true,
        file: { state: 'whole', path: 'fichiers/0001-ouverte.mp3', size: open.length },
      },
      {
        title: 'La voix scellée',
        description: 'Elle dira bonsoir.',
        reveal_date,
        is_revealed: false,
        file: { state: 'sealed', name: 'scellee.wav', size: waiting.length },
      },
    ])
    expect(before.files.get('fichiers/0001-ouverte.mp3')?.equals(open)).toBe(true)
    expect([...before.files.keys()].filter((name) => name.endsWith('.wav'))).toEqual([])
    expect(before.page).toContain('<h2>La voix scellée</h2>')
    expect(before.page).toContain(typeset('Personne ne peut l’écouter avant sa date'))
    server.clock.advance(A_DAY_MS)
    const after = await exportZip(person)
    expect(after.files.get('fichiers/0002-scellee.wav')?.equals(waiting)).toBe(true)
    expect((await exportJson(other)).data.sounds).toEqual([])
  })

  it('holds favourites and the calendar', async () => {
    const person = await signedIn(server)
    await relate(server, person, other, 'family')
    const { id } = await createVoiceMessage(server, other)
    await server.call('PUT', `${VOICE_MESSAGES_URL}/${id}/favorite`, { as: person })
    const event = { title: 'Noces d’or', date: '2027-06-12', type: 'anniversary', description: '' }
    await server.call('POST', '/api/calendar-events', { as: person, body: event })
    const { data } = await exportJson(person)
    expect(data.favorite_sounds).toMatchObject([{ sound_id: id }])
    expect(data.calendar_events).toContainEqual(expect.objectContaining(event))
  })
})

describe('the link to an export', () => {
  async function linkOf(as: Person): Promise<string> {
    return (await server.call('POST', '/api/auth/export', { as })).body.url
  }

  it('downloads the ZIP without a header, under a name of its own', async () => {
    const { status, headers, bytes } = await download(await linkOf(author))
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/zip')
    expect(headers['content-disposition']).toContain('revelations-autrice-')
    expect(readZip(bytes).has('index.html')).toBe(true)
  })

  it('ends after ten minutes, with its session, and with any change', async () => {
    const person = await signedIn(server)
    const old = await linkOf(person)
    server.clock.advance(10 * 60_000)
    expect((await download(old)).status).toBe(403)
    const link = await linkOf(person)
    expect((await download(link.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A')))).status).toBe(
      403,
    )
    await server.call('POST', '/api/auth/logout', { as: person })
    expect((await download(link)).status).toBe(403)
  })

  it('is for who is signed in', async () => {
    expect((await server.call('POST', '/api/auth/export')).status).toBe(401)
    expect((await server.call('GET', '/api/auth/export')).status).toBe(401)
    expect((await server.call('GET', '/api/auth/export?format=zip&token=a.b')).status).toBe(403)
  })
})

describe('an export under way', () => {
  let origin: string

  beforeAll(async () => {
    origin = await server.listen()
  })

  it('refuses another one, and ends with whoever hangs up', async () => {
    const person = await signedIn(server)
    const big = Buffer.concat([await picture('png'), Buffer.alloc(30_000_000, 3)])
    await seal(person, 'Gros fichier', 'Dix caractères et plus.', big)
    const headers = { authorization: `Bearer ${person.token}` }
    const url = `${origin}/api/auth/export?format=zip`
    const first = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http.get(url, { headers }, resolve).on('error', reject)
    })
    first.pause()
    expect((await fetch(url, { headers })).status).toBe(429)
    const link = await fetch(`${origin}/api/auth/export`, { method: 'POST', headers })
    expect(link.status).toBe(429)
    expect(await link.json()).toMatchObject({ error: expect.stringContaining('déjà en cours') })
    first.destroy()
    let again = await fetch(url, { headers })
    while (again.status === 429) {
      await again.arrayBuffer()
      again = await fetch(url, { headers })
    }
    const files = readZip(Buffer.from(await again.arrayBuffer()))
    expect(files.get('fichiers/0001-bague.png')?.equals(big)).toBe(true)
  })

  it('breaks off once its session has ended', async () => {
    const person = await signedIn(server)
    const big = Buffer.concat([await picture('png'), Buffer.alloc(30_000_000, 3)])
    await seal(person, 'Gros fichier', 'Dix caractères et plus.', big)
    const url = `${origin}/api/auth/export?format=zip`
    const headers = { authorization: `Bearer ${person.token}` }
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http.get(url, { headers }, resolve).on('error', reject)
    })
    answer.pause()
    await server.call('POST', '/api/auth/logout', { as: person })
    await expect(buffer(answer)).rejects.toThrow('aborted')
  })
})

it('has the content of a letter before its reveal and after it', async () => {
  const person = await signedIn(server)
  await seal(person, 'Bientôt', 'Dix caractères et plus.')
  server.clock.advance(2 * A_DAY_MS)
  const { data } = await exportJson(person)
  expect(data.revelations).toMatchObject([
    { is_revealed: true, content: 'Dix caractères et plus.' },
  ])
})
