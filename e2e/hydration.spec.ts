import { type BrowserContext, expect } from '@playwright/test'
import { colourVideo, pdf, picture, toneAudio } from '#testing/media-files.ts'
import { test } from './journey.ts'
import {
  cameBefore,
  openBeside,
  origin,
  type Person,
  sealThrough,
  sendFile,
  signIn,
} from './people.ts'

const PAGES = [
  '/',
  '/?status=pending',
  '/demo',
  '/predictions',
  '/predictions?onglet=devoilees',
  '/preuve',
  '/login',
  '/register',
  '/mot-de-passe-oublie',
  '/legal',
  '/confidentialite',
  '/conditions',
  '/accessibilite',
  '/revelation/00000000-0000-4000-8000-000000000000',
]
type File = Parameters<typeof sendFile>[2]

const WIDTHS = [360, 1280]
const A_DAY_MS = 86_400_000
const TWO_HOURS_MS = 7_200_000

test.skip(({ isMobile }) => isMobile, 'It opens its own widths')

async function sealEveryKind(author: Person, inMs: number): Promise<string[]> {
  const files: Record<string, (File & { folder: Parameters<typeof sendFile>[1] }) | undefined> = {
    text: undefined,
    image: { bytes: await picture('png'), name: 'port.png', type: 'image/png', folder: 'images' },
    video: {
      bytes: await colourVideo({ seconds: 2, fps: 10, size: '64x36' }),
      name: 'port.mp4',
      type: 'video/mp4',
      folder: 'videos',
    },
    audio: { bytes: await toneAudio('mp3'), name: 'port.mp3', type: 'audio/mpeg', folder: 'audio' },
    document: { bytes: pdf(), name: 'port.pdf', type: 'application/pdf', folder: 'documents' },
  }
  const addresses: string[] = []
  for (const [kind, file] of Object.entries(files)) {
    const { id } = await sealThrough(author, {
      title: `Reprise d’une page ${kind}`,
      visibility: 'public',
      reveal_date: new Date(Date.now() + inMs).toISOString(),
      ...(file && { file_url: await sendFile(author, file.folder, file) }),
    })
    addresses.push(`/revelation/${id}`)
  }
  return addresses
}

/** Two photos with a document between them. */
async function sealAlbum(author: Person): Promise<string> {
  const photo = { bytes: await picture('png'), name: 'quai.png', type: 'image/png' }
  const plan = { bytes: pdf(), name: 'plan.pdf', type: 'application/pdf' }
  const file_urls = [
    await sendFile(author, 'images', photo),
    await sendFile(author, 'documents', plan),
    await sendFile(author, 'images', photo),
  ]
  const { id } = await sealThrough(author, {
    ...{ title: 'Reprise d’un album', visibility: 'public', file_urls },
    captions: ['Le quai', null, 'La jetée'],
    reveal_date: new Date(Date.now() - 1_000).toISOString(),
  })
  return `/revelation/${id}`
}

/** A device whose clock is wrong, in another part of the world. */
async function elsewhere(context: BrowserContext): Promise<void> {
  await context.addInitScript((lateMs) => {
    const { Date: OnTime } = globalThis
    class Late extends OnTime {
      constructor(...values: []) {
        super(...((values.length > 0 ? values : [Late.now()]) as []))
      }
      static override now = () => OnTime.now() - lateMs
    }
    Object.assign(globalThis, { Date: Late })
  }, TWO_HOURS_MS)
}

test('React finds every page as the server rendered it, wherever and whenever it is read', async ({
  page,
  browser,
}) => {
  const sealed = await sealEveryKind(await signIn(await openBeside(page)), A_DAY_MS)
  const opened = await sealEveryKind(await signIn(await openBeside(page)), 1_000)
  const album = await sealAlbum(await signIn(await openBeside(page)))
  const addresses = [...PAGES, ...sealed, ...opened, album]
  for (const width of WIDTHS) {
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      timezoneId: 'Pacific/Auckland',
      serviceWorkers: 'block',
    })
    await elsewhere(context)
    const reader = await context.newPage()
    await cameBefore(reader)
    const errors: string[] = []
    reader.on('console', (message) => {
      const isAnswer = message.text().startsWith('Failed to load resource')
      if (message.type() === 'error' && !isAnswer) errors.push(`${reader.url()} ${message.text()}`)
    })
    reader.on('pageerror', (error) => errors.push(`${reader.url()} ${error.message}`))
    for (const address of addresses) {
      await reader.goto(origin() + address)
      // A page that React has hydrated carries its mark.
      await reader.waitForFunction(() =>
        Object.keys(document.querySelector('#contenu') ?? {}).some((key) =>
          key.startsWith('__reactFiber$'),
        ),
      )
    }
    expect(errors, `at ${width} px`).toEqual([])
    await context.close()
  }
})
