import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { colourVideo, picture, toneAudio } from '#testing/media-files.ts'
import { EVIDENCE_FORMAT } from '../contract/src/proofs/evidence.ts'
import type { AnyProof } from '../contract/src/proofs/proof.ts'
import { itemOf, logOfItems, proofOf } from '../contract/test/log.ts'
import {
  all,
  choose,
  expectFaultless,
  expectFaultlessHere,
  fill,
  key,
  open,
  openMenu,
  press,
  pressInside,
  RESPONSE_MS,
  type State,
  see,
  until,
} from './faultless.ts'
import { installSite, shareAs } from './installed.ts'
import { test } from './journey.ts'
import { linkIn, mailTo } from './mails.ts'
import { breakSeal, openDemoLetter } from './moments.ts'
import { openNetwork } from './network.ts'
import {
  cameBefore,
  getJson,
  newPseudo,
  openBeside,
  origin,
  PASSWORD,
  type Person,
  postJson,
  putJson,
  sealThrough,
  sendFile,
  signIn,
  tie,
} from './people.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'
const PHOTO = 'Le port, un matin de grand vent'
const FILM = 'Le retour du bateau'
const STEPS_OF_TOUR = 7

const openNow = () => new Date(Date.now() + 1_000).toISOString()

async function sealPicture(author: Person, changes: Record<string, unknown> = {}) {
  const bytes = await picture('png', 600, 400)
  const file = { bytes, name: 'port.png', type: 'image/png' }
  return sealThrough(author, {
    title: PHOTO,
    visibility: 'public',
    file_url: await sendFile(author, 'images', file),
    reveal_date: openNow(),
    ...changes,
  })
}

/** Two pictures, of which one has a caption. */
async function sealAlbum(author: Person) {
  const file = { bytes: await picture('png', 600, 400), name: 'quai.png', type: 'image/png' }
  const file_urls = [await sendFile(author, 'images', file), await sendFile(author, 'images', file)]
  return sealPicture(author, { file_url: file_urls[0], file_urls, captions: ['Le quai', null] })
}

async function sealFilm(author: Person, changes: Record<string, unknown> = {}) {
  return sealThrough(author, {
    title: FILM,
    visibility: 'public',
    file_url: await sendFile(author, 'videos', await film()),
    file_type: 'video',
    teaser_start: 1,
    teaser_end: 2,
    ...changes,
  })
}

async function film() {
  return { bytes: await colourVideo({ seconds: 3 }), name: 'bateau.mp4', type: 'video/mp4' }
}

/** Until the controls of the product are there. */
function play(name: string) {
  return async (page: Page) => {
    const slider = page.getByRole('slider', { name: /^Position dans/ })
    await press(name)(page)
    await expect(slider).toBeVisible()
  }
}

/** A prepared variant appears in the open page, or after a reload. */
function untilPrepared(label: string) {
  return async (page: Page) => {
    const prepared = page.getByLabel(label, { exact: true })
    await expect(async () => {
      if (!(await prepared.isVisible())) await page.reload()
      await expect(prepared).toBeVisible({ timeout: 3_000 })
    }).toPass()
  }
}

test('no page that asks for nothing has a fault', async ({ page }) => {
  await cameBefore(page)
  await expectFaultless(page, [
    ['/?q=rien-de-tel', openMenu],
    ['/login', press('Se connecter')],
    ['/register', press(/compte/)],
    ['/verification'],
    [
      '/mot-de-passe-oublie',
      press('Recevoir un lien'),
      until(
        'Regardez votre messagerie',
        fill({ 'E-mail': 'personne@exemple.test' }),
        press('Recevoir un lien', RESPONSE_MS),
      ),
    ],
    ['/nouveau-mot-de-passe'],
    ['/mes-lettres'],
    ['/ne-plus-recevoir'],
    ['/signaler'],
    ['/legal'],
    ['/confidentialite'],
    ['/conditions'],
    ['/accessibilite'],
    [
      '/demo',
      see('En attente'),
      async (at) => {
        await at.clock.install()
        await at.reload()
        await see('En attente')(at)
        await openDemoLetter(at)
      },
    ],
  ])
})

test('no page that a mail leads to has a fault', { tag: '@all' }, async ({ page }) => {
  const author = await signIn(await openBeside(page))
  const email = `${newPseudo()}@exemple.test`
  const { id } = await sealThrough(author, {
    visibility: 'private',
    target_email: email,
    reveal_date: openNow(),
  })
  await postJson('/api/auth/forgot-password', { email: author.email })
  const proving = await mailTo(author.email, /^Confirmez votre adresse/)
  const resetting = await mailTo(author.email, /^Choisissez un nouveau/)
  const opened = await mailTo(email, /lettre .*s’est ouverte/)
  const passwords = {
    'Nouveau mot de passe': PASSWORD,
    'Confirmer le nouveau mot de passe': PASSWORD,
  }
  await expectFaultless(page, [
    [
      linkIn(proving, '/verification'),
      see('Confirmer mon adresse'),
      all(press('Confirmer mon adresse'), see('Adresse vérifiée')),
    ],
    [
      linkIn(resetting, '/nouveau-mot-de-passe'),
      fill(passwords),
      all(press('Enregistrer le mot de passe'), see('Votre mot de passe est changé.')),
    ],
    [
      linkIn(resetting, '/nouveau-mot-de-passe'),
      all(fill(passwords), press('Enregistrer le mot de passe'), see('Ce lien n’est plus valable')),
    ],
    [
      linkIn(opened, '/signaler'),
      see('Publicité indésirable ou arnaque'),
      all(
        (at) => at.getByRole('radio', { name: 'Publicité indésirable ou arnaque' }).check(),
        press('Signaler'),
        see('Merci, votre signalement est arrivé.'),
      ),
    ],
    [
      linkIn(opened, '/ne-plus-recevoir'),
      see('Ne plus recevoir ces e-mails'),
      all(press('Ne plus recevoir ces e-mails'), see('C’est fait')),
    ],
    [
      linkIn(opened, '/revelation/'),
      see('Elle vous attend'),
      all(breakSeal, see('Des mots que personne ne lit encore.')),
      see('Garder pour moi'),
      all(press('Autre'), press(/^Envoyer$/, RESPONSE_MS), see(/^Écrivez un mot/)),
      all(press('Répondre de vive voix'), see('Terminer')),
      all(press('Effacer'), press('Garder pour moi'), see('C’est gardé pour vous.')),
      all(press('Répondre'), press('Un cœur'), see('Votre réponse est partie.')),
      open('Supprimer cette réponse', 'alertdialog'),
    ],
  ])
  // The author revokes the link; the bearer of the mail finds it revoked.
  const { token } = await postJson('/api/auth/login', { email: author.email, password: PASSWORD })
  const { revelation } = await getJson(`/api/revelations/${id}`, { ...author, token })
  await postJson(`/api/deliveries/${revelation.delivery.id}/revoke`, undefined, token)
  const stranger = await openBeside(page)
  await expectFaultless(stranger, [
    [linkIn(opened, '/revelation/'), see('Ce lien a été désactivé')],
  ])
  await stranger.evaluate((value) => localStorage.setItem('auth_token', value), token)
  await expectFaultless(stranger, [
    [
      `/revelation/${id}`,
      see('Lien désactivé'),
      all(press(/^Livraison/), (at) =>
        expect(
          at.getByRole('region', { name: 'Livraison' }).getByText('Ouvert').first(),
        ).toBeVisible(),
      ),
      all(press(/^Remettre en mains propres/), async (at) => {
        await at.getByRole('dialog').getByRole('button', { name: 'Préparer le lien' }).click()
        await expect(at.getByRole('dialog').getByText('Imprimer la carte')).toBeVisible()
      }),
    ],
    [
      `/revelation/${id}`,
      see('Rien que pour vous.'),
      all(
        choose(/^Plus d’actions pour la réponse/, 'Ne plus recevoir'),
        see(/pourra toujours lire/),
      ),
      all(pressInside('Annuler'), press('Répondre'), see('Envoyer la réponse')),
    ],
  ])
})

test('no page of a visitor who reads has a fault', async ({ page }) => {
  const author = await signIn(await openBeside(page))
  const opened = await sealPicture(author)
  const album = await sealAlbum(author)
  const sealed = await sealThrough(author, { visibility: 'public' })
  const filmed = await sealFilm(author, { reveal_date: openNow() })
  const teased = await sealFilm(author)
  const voice = { bytes: await toneAudio('mp3'), name: 'voix.mp3', type: 'audio/mpeg' }
  const spoken = await sealThrough(author, {
    visibility: 'public',
    file_url: await sendFile(author, 'audio', voice),
    reveal_date: openNow(),
  })
  await cameBefore(page)
  await expectFaultless(page, [
    ['/'],
    ['/predictions'],
    ['/predictions?onglet=devoilees'],
    [`/revelation/${sealed.id}`],
    [`/revelation/${opened.id}`, open('Voir l’image en plein écran')],
    [
      `/revelation/${album.id}`,
      see('Le quai'),
      until(/^1 sur 2$/, (at) =>
        at.getByRole('link', { name: 'Photo 1 sur 2' }).click({ timeout: RESPONSE_MS }),
      ),
    ],
    [`/revelation/${album.id}`, open('Feuilleter'), key('ArrowRight')],
    [
      `/revelation/${opened.id}`,
      all(open(/^Partager/), pressInside('Afficher le code QR'), see(/qui le photographie/)),
    ],
    [`/revelation/${teased.id}`, untilPrepared(`Aperçu : ${FILM}`)],
    [
      `/revelation/${filmed.id}`,
      untilPrepared(`Vidéo complète : ${FILM}`),
      play(`Lire la vidéo ${FILM}`),
    ],
    [`/revelation/${spoken.id}`, play('Écouter Une annonce')],
    [`/revelation/${NOBODY}`],
  ])
})

test('no page about proofs has a fault', { tag: '@all' }, async ({ page }) => {
  const author = await signIn(await openBeside(page))
  const { id } = await sealPicture(author)
  let proof: AnyProof | undefined
  await expect(async () => {
    proof = await getJson(`/api/revelations/${id}/proof`)
    expect(proof && /"(?:leaf|index)":\d/.test(JSON.stringify(proof))).toBe(true)
  }).toPass()
  const { checkpoint } = proof as AnyProof
  const verify = (sentence: string) => until(sentence, press('Vérifier', RESPONSE_MS))
  const compare = (text: string, sentence: string) => {
    const paste = fill({ 'Le point de contrôle, ou tout le bas de l’e-mail': text })
    return until(sentence, paste, press('Vérifier', RESPONSE_MS))
  }
  await cameBefore(page)
  await expectFaultless(page, [
    [
      '/preuve',
      async () => {},
      compare(checkpoint ?? '', 'toujours au journal, inchangée'),
      compare(
        logOfItems(3).checkpoint(),
        'Ce point de contrôle ne porte pas la signature du journal.',
      ),
      compare('Bonjour, à demain !', 'Aucun point de contrôle dans ce texte.'),
      see('Ce que ce navigateur garde'),
    ],
    // What its readers get of a picture is a copy, which nothing was sealed of.
    [`/revelation/${id}`, press('Le sceau'), verify('il manque l’original de l’image')],
  ])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Télécharger la preuve' }).click()
  const exported = await readFile(await (await download).path(), 'utf8')
  const attach = (content: string) => (at: Page) =>
    at.getByLabel('La preuve').setInputFiles({
      name: 'preuve.json',
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    })
  // Opened from the disk, as whoever downloaded it does.
  const verifier = test.info().outputPath('verificateur.html')
  const answer = await fetch(`${origin()}/verificateur.html`)
  await writeFile(verifier, await answer.text())
  const invented = JSON.stringify(proofOf(logOfItems(3), itemOf(1), 1))
  await expectFaultless(page, [
    [
      pathToFileURL(verifier).href,
      see('Vérificateur'),
      all(attach(exported), see('il manque le fichier.')),
      all(attach(exported.replace(id, NOBODY)), see('Quelque chose ne concorde pas.')),
      all(attach(invented), see('rien n’est prouvé')),
    ],
  ])
  // This browser holds the log to another past than the one it shows.
  await page.goto(`${origin()}/preuve`)
  await page.evaluate((format) => {
    const memory = JSON.parse(localStorage.getItem('log_memory') ?? '')
    const [name = ''] = Object.keys(memory.logs)
    const [note] = memory.logs[name].held
    const found = { format, kind: 'roots', origin: name, found_at: note.since }
    const rest = { notes: [note, note], consistency: null, leaf: null }
    memory.logs[name].contradictions = [{ ...found, ...rest }]
    localStorage.setItem('log_memory', JSON.stringify(memory))
  }, EVIDENCE_FORMAT)
  await expectFaultless(page, [
    ['/preuve', see('Le journal s’est contredit')],
    [`/revelation/${id}`, press('Le sceau'), verify('Quelque chose ne concorde pas.')],
  ])
  await page.addInitScript((token) => localStorage.setItem('auth_token', token), author.token)
  await expectFaultless(page, [
    [`/revelation/${id}`, all(press('Le sceau'), see('Télécharger le reçu'))],
  ])
})

test('no page of an author has a fault', { tag: '@all' }, async ({ page }) => {
  const author = await signIn(page)
  const sealed = await sealThrough(author, { visibility: 'public' })
  const foretold = await sealThrough(author, { kind: 'prediction', reveal_date: openNow() })
  await postJson('/api/comments', { revelation_id: sealed.id, content: 'Patience.' }, author.token)
  const talk = /commentaires/i
  await expectFaultless(page, [
    ['/', openMenu],
    ['/create?vue=tout', press('Relire avant de sceller')],
    ['/create?vue=tout', open('Date de révélation')],
    ['/create?vue=tout', all(press('Pour ses 18 ans'), see('Elle reste sur cet appareil.'))],
    ['/create?genre=prediction'],
    [
      '/create?vue=tout',
      open('M’aider à écrire'),
      all(pressInside('Une naissance'), see('Question 1 sur 3')),
    ],
    [
      '/create?vue=tout',
      until('Enregistrer votre voix', (at) => at.getByText('Cinq secondes de votre voix').click()),
    ],
    [
      '/create?vue=tout',
      all(
        fill({
          Titre: 'Un titre',
          Contenu: 'Des mots qui attendent.',
          'E-mail du destinataire': author.email,
        }),
        until(/^Avant de sceller$/, press('Relire avant de sceller')),
      ),
    ],
    [`/edit/${sealed.id}`],
    [`/edit/${NOBODY}`],
    [`/revelation/${sealed.id}`, see('Des mots que personne ne lit encore.')],
    [
      `/revelation/${sealed.id}`,
      all(choose(/^Plus d’actions pour/, 'Supprimer'), (at) =>
        expect(at.getByRole('alertdialog')).toBeVisible(),
      ),
    ],
    [`/revelation/${sealed.id}`, all(press(talk), see('Patience.')), open('Autres réactions')],
    [
      `/revelation/${foretold.id}`,
      open('Déclarer l’issue'),
      all(
        (at) =>
          at
            .getByRole('dialog')
            .getByRole('radio', { name: /^Réalisée/ })
            .check(),
        (at) => at.getByLabel('Source').fill('http://exemple.test'),
        pressInside('Déclarer'),
        see('La source est une adresse complète'),
      ),
    ],
    ['/profile?onglet=revelations'],
    ['/subscription', open(/^Simuler upgrade/)],
  ])
  const other = await signIn(await openBeside(page))
  await sealThrough(other, { kind: 'prediction', visibility: 'public', reveal_date: openNow() })
  const judged = `/api/revelations/${foretold.id}`
  const source_url = 'https://exemple.test/resultats'
  await putJson(`${judged}/outcome`, { outcome: 'fulfilled', source_url }, author.token)
  await expectFaultless(page, [
    [`/revelation/${foretold.id}`, see('exemple.test')],
    ['/predictions?onglet=devoilees', press(/^Réalisée/)],
    [
      '/predictions?onglet=devoilees',
      all((at) => at.getByLabel('Issue').selectOption('Ratée'), see(/^Aucune/)),
    ],
  ])
  for (let count = 0; count < 4; count += 1) await sealThrough(author)
  await expectFaultless(page, [
    ['/create?vue=tout', see('Vos 5 révélations scellées du plan gratuit sont prises')],
  ])
})

test('no step of a letter has a fault', { tag: '@all' }, async ({ page }) => {
  const author = await signIn(page)
  const words = (text: string) => (at: Page) =>
    at.getByRole('textbox', { name: /^Votre (lettre|prédiction)/ }).fill(text)
  const goOn = press('Continuer')
  await expectFaultless(page, [
    [
      '/create',
      see('Une capsule pour moi'),
      until('Choisissez d’abord ce que vous écrivez', goOn),
      all(
        (at) => at.getByRole('radio', { name: /^Une lettre/ }).check({ force: true }),
        see(/^Qui la recevra/),
      ),
      all(goOn, see("L'email du destinataire est requis")),
      all(
        fill({ 'E-mail du destinataire': author.email, 'Son prénom': 'Camille' }),
        goOn,
        see('Visible sur l’enveloppe, avant la date.'),
      ),
      all(goOn, see('Le contenu est requis')),
      all(words('Des mots qui attendent leur jour.'), goOn, see('Plus de choix')),
      all(
        press(/^Changer/),
        (at) => at.getByRole('radio', { name: 'Public' }).check({ force: true }),
        see(/^Tout le monde verra le titre/),
      ),
      all(goOn, see('Maintenez le sceau pour sceller')),
      all(press('Sceller'), see('C’est scellé.')),
    ],
    [
      '/create?genre=prediction',
      all(goOn, words('Il neigera à Noël.'), see('Gardé sur cet appareil')),
    ],
    ['/create', see('Il neigera à Noël.')],
    ['/create', all(press(/^Effacer/), (at) => expect(at.getByRole('alertdialog')).toBeVisible())],
  ])
})

test('no page of a file on its way has a fault', { tag: '@all' }, async ({ page }) => {
  const { bytes, name, type } = await film()
  const file = { buffer: bytes, name, mimeType: type }
  await signIn(page)
  const attach =
    (label: string, chosen = file) =>
    (at: Page) =>
      at.getByLabel(label).setInputFiles(chosen)
  const trimmed: State = [
    '/create?vue=tout',
    all(attach('Joindre un fichier'), (at) =>
      expect(at.getByRole('slider', { name: 'Fin de l’extrait' })).toBeVisible(),
    ),
    all(press('Sans extrait'), see('Upload terminé')),
  ]
  await expectFaultless(page, [trimmed])
  await page.route('**/api/uploads/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  )
  const lost = all(attach('Joindre un fichier'), see(/^Connexion perdue\./))
  // The letter of before has its film.
  await expectFaultless(page, [['/create?vue=tout', all(press('Repartir de zéro'), lost)]])
  // Until the draft is erased, its film would come back with the page.
  const kept = page.getByText('Gardé sur cet appareil, fichiers compris')
  await expect(kept).toBeVisible()
  await press('Annuler l’envoi')(page)
  await expect(kept).toBeHidden()
  // A full device stores no file.
  await page.addInitScript(() => {
    navigator.storage.estimate = async () => ({ quota: 0, usage: 0 })
  })
  await page.goto(`${origin()}/create?vue=tout`)
  await lost(page)
  await expectFaultless(page, [
    [
      '/create?vue=tout',
      see(/Choisissez de nouveau ce fichier/),
      all(
        attach('Le même fichier', { ...file, buffer: file.buffer.subarray(1) }),
        see(/pas la même taille/),
      ),
    ],
  ])
})

test('no list of files has a fault, whatever becomes of them', { tag: '@all' }, async ({
  page,
}) => {
  await signIn(page)
  const buffer = await picture('png', 60, 40)
  const attach =
    (label: string, ...names: string[]) =>
    (at: Page) =>
      at
        .getByLabel(label)
        .setInputFiles(names.map((name) => ({ name, mimeType: 'image/png', buffer })))
  const more = 'Ajouter d’autres fichiers'
  const sentence = 'Ce fichier dépasse l’espace qui vous reste'
  const full = (at: Page) =>
    at.route('**/api/uploads', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 413, json: { error: sentence, code: 'quota_exceeded' } })
        : route.fallback(),
    )
  const cut = (at: Page) =>
    at.route('**/api/uploads/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
    )
  const long = (at: Page) =>
    at.getByRole('textbox', { name: 'Légende de « deux.png »' }).fill('Le port '.repeat(26))
  await expectFaultless(page, [
    [
      '/create?vue=tout',
      all(
        attach('Joindre un fichier', 'un.png', 'deux.png', 'trois.png'),
        see('Tous les fichiers sont arrivés'),
        press('Monter « deux.png »'),
      ),
      all(long, see('Une légende ne peut pas dépasser 200 caractères')),
      all(full, attach(more, 'quatre.png'), see(sentence)),
      all(
        (at) => at.unroute('**/api/uploads'),
        cut,
        attach(more, 'cinq.png', 'six.png', 'sept.png', 'huit.png'),
        see(/^Connexion perdue\./),
        see('En attente de son tour'),
      ),
    ],
  ])
})

test('no paper and no figure of a plan has a fault, nor what shows them without it', {
  tag: '@all',
}, async ({ page }) => {
  const author = await signIn(page)
  const unfold = (at: Page) => at.getByText('Papier et encre').click()
  await expectFaultless(page, [
    ['/create?vue=tout', all(unfold, see('Les plans Standard, Pro et Illimité'))],
    ['/statistiques', see('Avec les plans Pro et Illimité')],
  ])
  await postJson('/api/subscriptions/upgrade', { plan: 'pro' }, author.token)
  const open = { visibility: 'public', reveal_date: openNow() }
  const letters = await Promise.all([
    sealThrough(author, { ...open, paper: 'laid', ink: 'blue' }),
    sealThrough(author, { ...open, paper: 'kraft', ink: 'blue' }),
  ])
  await expectFaultless(page, [
    ['/create?vue=tout', all(unfold, (at) => at.getByRole('radio', { name: /^Kraft/ }).check())],
    ...letters.map(({ id }): State => [`/revelation/${id}`, see('Révélation dévoilée')]),
    ['/statistiques', see('Ce qui est compté')],
  ])
})

test('no page of a person among others has a fault', async ({ page }) => {
  const person = await signIn(page)
  await sealThrough(person, { target_email: `ami.${person.email}` })
  await expectFaultless(page, [
    ['/profile?onglet=relations'],
    ['/profile?onglet=abonnements'],
    [`/profile/${NOBODY}`],
    ['/family'],
    ['/family?onglet=contacts'],
    ['/family?onglet=calendrier', open('Ajouter un événement')],
    ['/family?onglet=statistiques'],
    ['/family-sound'],
  ])
  const [other, relative] = [
    await signIn(await openBeside(page)),
    await signIn(await openBeside(page)),
  ]
  await tie(relative, person, 'family')
  await sealThrough(relative, { visibility: 'family' })
  await postJson(
    '/api/calendar-events',
    {
      title: 'Anniversaire de Mamie',
      date: new Date().toISOString().slice(0, 10),
      type: 'birthday',
    },
    person.token,
  )
  const menuOf = ({ pseudo }: Person) => `Plus d’actions pour @${pseudo}`
  await expectFaultless(page, [
    [
      '/family?onglet=contacts',
      (at) =>
        expect(
          at
            .getByRole('listitem')
            .filter({ hasText: `@${relative.pseudo}` })
            .first(),
        ).toContainText('livraison'),
      all(choose(menuOf(relative), 'Envoyer un message'), (at) =>
        expect(at.getByRole('dialog', { name: 'Enregistrer un message' })).toBeVisible(),
      ),
    ],
    ['/family?onglet=calendrier', see('Anniversaire de Mamie')],
    ['/family?onglet=statistiques', see(/À améliorer/)],
    [
      `/profile/${other.id}`,
      open('Ajouter'),
      all(pressInside('Envoyer la demande'), see('Demande envoyée · Ami')),
      choose(menuOf(other), 'Bloquer'),
    ],
  ])
  const third = await signIn(await openBeside(page))
  await postJson(
    '/api/relationships/request',
    { receiver_id: person.id, type: 'friend' },
    third.token,
  )
  await expectFaultless(page, [
    ['/profile?onglet=relations', see(`@${third.pseudo}`)],
    [`/profile/${third.id}`, see('Demande reçue · Ami')],
  ])
})

test('no page of one’s own account has a fault', { tag: '@all' }, async ({ page }) => {
  const person = await signIn(page)
  await sealThrough(person, { target_email: `ami.${person.email}` })
  const photo = {
    name: 'moi.png',
    mimeType: 'image/png',
    buffer: await picture('png', 600, 400),
  }
  await expectFaultless(page, [
    [
      '/profile',
      press('Modifier'),
      async (at) => {
        await at.getByLabel('Choisir une photo').setInputFiles(photo)
        await expect(at.getByRole('dialog', { name: 'Recadrer la photo' })).toBeVisible()
      },
    ],
    ['/received'],
    ['/notifications', see('Choisir ce qui m’est signalé')],
    ['/profile?onglet=parametres', see('Supprimer mon compte')],
    [
      '/profile?onglet=parametres',
      all(
        press('Changer le mot de passe'),
        fill({
          'Mot de passe actuel': 'pas le bon',
          'Nouveau mot de passe': 'un nouveau secret',
          'Confirmer le nouveau mot de passe': 'un nouveau secret',
        }),
        press('Enregistrer le mot de passe'),
        see('Le mot de passe actuel est incorrect'),
      ),
    ],
    [
      '/profile?onglet=parametres',
      all(
        press('Changer d’adresse'),
        fill({ 'Nouvelle adresse': `autre.${person.email}`, 'Votre mot de passe': PASSWORD }),
        press(/^Envoyer le lien/),
        see('Un lien est parti'),
      ),
    ],
    ['/profile?onglet=parametres', all(open('Supprimer mon compte'), see(`ami.${person.email}`))],
    [
      '/profile?onglet=parametres',
      open('Revoir la présentation'),
      ...Array.from({ length: STEPS_OF_TOUR - 1 }, () => key('ArrowRight')),
    ],
  ])
  await postJson('/api/subscriptions/upgrade', { plan: 'pro' }, person.token)
  await expectFaultless(page, [
    ['/profile?onglet=parametres', all(open('Créer un jeton'), pressInside('Créer le jeton'))],
    [
      '/profile?onglet=parametres',
      all(
        open('Créer un jeton'),
        fill({ Nom: 'Sauvegarde', 'Votre mot de passe': PASSWORD }),
        pressInside('Créer le jeton'),
        see('Copiez-le maintenant'),
      ),
    ],
    ['/profile?onglet=parametres', open('Révoquer Sauvegarde', 'alertdialog')],
  ])
  const words = { bio: 'Je scelle des lettres.', website: 'https://exemple.be' }
  await putJson('/api/auth/profile', words, person.token)
  await expectFaultless(page, [['/profile', see(words.bio)]])
})

test('no page of voices has a fault', { tag: '@all' }, async ({ page }) => {
  const person = await signIn(page)
  const share = async (title: string, changes: Record<string, unknown> = {}) => {
    const file = {
      bytes: await toneAudio('mp3', 2),
      name: `${randomUUID()}.mp3`,
      type: 'audio/mpeg',
    }
    const file_url = await sendFile(person, 'audio', file)
    await postJson('/api/family-sounds', { title, file_url, ...changes }, person.token)
  }
  await share('Un bonjour de loin')
  await share('Pour plus tard', {
    reveal_date: new Date(Date.now() + 86_400_000).toISOString(),
    reveal_message: 'Encore un peu de patience.',
  })
  const inRecorder = (name: string) => page.getByRole('dialog').getByRole('button', { name })
  await expectFaultless(page, [
    [
      '/family-sound',
      press(/^Pour plus tard.*scellé/),
      async (at) => {
        await at.keyboard.press('Escape')
        await press(/^Écouter Un bonjour de loin/)(at)
        const bar = at.getByRole('button', { name: /^Ouvrir le lecteur/ })
        if (await bar.isVisible()) await bar.click()
        await expect(at.getByRole('slider', { name: 'Position dans le message' })).toBeVisible()
      },
    ],
    [
      '/family-sound',
      open('Enregistrer'),
      async () => {
        await inRecorder('Enregistrer').click()
        // Paused before, it has recorded nothing.
        await expect(page.getByRole('timer')).not.toHaveText('0:00')
        await inRecorder('Pause').click()
        await expect(inRecorder('Reprendre')).toBeVisible()
      },
      async (at) => {
        await inRecorder('Terminer').click()
        await expect(at.getByRole('dialog').getByLabel('Titre')).toHaveValue(/^Message vocal/)
      },
      async (at) => {
        await at.context().setOffline(true)
        await inRecorder('Envoyer').click()
        await expect(inRecorder('Reprendre l’envoi')).toBeVisible()
        await at.context().setOffline(false)
      },
    ],
    [
      '/family-sound',
      async (at) => {
        await at.evaluate(() => {
          navigator.mediaDevices.getUserMedia = () =>
            Promise.reject(new DOMException('', 'NotAllowedError'))
        })
        await open('Enregistrer')(at)
        await inRecorder('Enregistrer').click()
        await see(/^Impossible d'accéder au microphone/)(at)
      },
    ],
    [
      '/family-sound',
      async (at) => {
        await open('Importer')(at)
        await at.locator('input[type=file]').setInputFiles({
          name: 'voix.mp3',
          mimeType: 'audio/mpeg',
          buffer: Buffer.from('Ceci n’est pas une voix, mais des mots.'),
        })
        await inRecorder('Envoyer').click()
        await see(/^Type de fichier non autorisé/)(at)
      },
    ],
  ])
})

test.describe('with a worker that answers', () => {
  test.use({ serviceWorkers: 'allow' })

  test('no page without a network has a fault', { tag: '@all' }, async ({ page }) => {
    const network = await openNetwork()
    const visitor = await openBeside(page)
    await installSite(visitor, network.origin)
    const author = await signIn(page)
    await installSite(page, network.origin)
    await network.cut()
    await expectFaultless(visitor, [
      [network.origin, see('Impossible de joindre le site')],
      [`${network.origin}/confidentialite`, see('Cette page attend le réseau')],
    ])
    await expectFaultless(page, [
      [
        `${network.origin}/create?vue=tout`,
        see('Vous êtes hors ligne'),
        all(
          fill({
            Titre: 'Un titre',
            Contenu: 'Des mots qui attendent.',
            'E-mail du destinataire': author.email,
          }),
          until('La lettre n’est pas encore scellée.', press('Relire avant de sceller')),
        ),
        all(press('Sceller au retour du réseau'), see('Pas encore scellée')),
      ],
      [`${network.origin}/create?vue=tout`, see('Votre lettre n’est pas encore scellée')],
    ])
  })

  test('no page of what a phone shared has a fault', { tag: '@all' }, async ({ page }) => {
    await signIn(page)
    await installSite(page, origin())
    await shareAs(page, { title: 'Le phare', text: 'Vu du large.', fileName: 'phare.png' })
    const shared = see('Ce que vous avez partagé est dans cette lettre')
    await expectFaultlessHere(page, all(shared, see('Gardé sur cet appareil, fichiers compris')))
  })
})

const WAITING = [
  '/',
  '/predictions',
  `/revelation/${NOBODY}`,
  `/edit/${NOBODY}`,
  '/profile?onglet=revelations',
  '/profile?onglet=relations',
  '/profile?onglet=parametres',
  '/profile?onglet=abonnements',
  '/family',
  '/family?onglet=contacts',
  '/family?onglet=calendrier',
  '/family?onglet=statistiques',
  '/family-sound',
  '/received',
  '/notifications',
  '/statistiques',
  '/subscription',
]

const SESSION = '/api/auth/verify-token'

function isWaited({ pathname }: URL): boolean {
  return pathname.startsWith('/api/') && pathname !== SESSION
}

test('no page has a fault while it waits for an answer', { tag: '@all' }, async ({ page }) => {
  await signIn(page)
  const end = Promise.withResolvers<void>()
  await page.route(isWaited, () => end.promise)
  await expectFaultless(
    page,
    WAITING.map((path) => [path]),
  )
  end.resolve()
})

test('no page has a fault when an error answers its calls', { tag: '@all' }, async ({ page }) => {
  await signIn(page)
  const error = { code: 'unexpected', message: 'Erreur API' }
  await page.route(isWaited, (route) => route.fulfill({ status: 400, json: { error } }))
  const again = async () => {
    await expect(page.getByRole('button', { name: 'Réessayer' }).first()).toBeVisible()
  }
  await expectFaultless(
    page,
    WAITING.map((path) => [path, again]),
  )
})
