import { act, screen, waitFor, within } from '@testing-library/react'
import type { RequestHandler } from 'msw'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { listApiTokens } from '#contract/api-tokens.ts'
import { listSessions, logout } from '#contract/auth.ts'
import { getNotificationSwitches } from '#contract/notifications.ts'
import { getUser } from '#contract/profiles.ts'
import { deletePushSubscription, getPush, savePushSubscription, testPush } from '#contract/push.ts'
import { listBlocks } from '#contract/relationships.ts'
import { listRevelations } from '#contract/revelations.ts'
import { getPreferences, getSubscription } from '#contract/subscriptions.ts'
import { deleteReceivedPush, storeReceivedPush } from '#web/features/push/received-push.ts'
import { standInForDatabases } from '#web/test/disk-stand-ins.ts'
import { answer, refusal } from '#web/test/fake-api.ts'
import { allSwitches } from '#web/test/notification-samples.ts'
import { ALL_PREFERENCES, aSubscription, myProfile } from '#web/test/people-samples.ts'
import { type PushBrowser, removePush, standInForPush } from '#web/test/push-stand-ins.ts'
import { renderPage } from '#web/test/render-page.tsx'
import { aPage, aUser } from '#web/test/samples.ts'

const KEY = 'BPublicKeyOfThisInstallation'

afterEach(removePush)

/** The server, which knows whether this session is told. */
function pushDoor(door: { endpoint: string | undefined }): RequestHandler[] {
  return [
    answer(getPush, () => ({ public_key: KEY, subscribed: door.endpoint !== undefined })),
    answer(savePushSubscription, ({ body }) => {
      door.endpoint = (body as { endpoint: string }).endpoint
      return { subscribed: true }
    }),
    answer(deletePushSubscription, () => {
      door.endpoint = undefined
      return { subscribed: false }
    }),
  ]
}

function openSettings(api: RequestHandler[] = []) {
  return renderPage('/profile?onglet=parametres', {
    user: aUser(),
    api: [
      ...api,
      answer(getUser, myProfile()),
      answer(getPreferences, { preferences: ALL_PREFERENCES }),
      answer(getNotificationSwitches, allSwitches()),
      answer(listSessions, { sessions: [] }),
      answer(listApiTokens, { tokens: [] }),
      answer(getSubscription, aSubscription()),
      answer(listBlocks, { blocks: [] }),
      answer(logout, { success: true }),
      answer(listRevelations, aPage([])),
    ],
  })
}

const panel = async () =>
  within(await screen.findByRole('region', { name: 'Notifications sur cet appareil' }))
const theSwitch = async () =>
  (await panel()).findByRole<HTMLInputElement>('switch', { name: /Me prévenir ici/ })

function subscribe(browser: PushBrowser): void {
  const subscription = { userId: aUser().id, endpoint: browser.endpoint }
  localStorage.setItem('push_told', JSON.stringify(subscription))
}

describe('the switch of a device', () => {
  test('asks the browser, tells the server, and takes both back', async () => {
    const browser = standInForPush('default')
    const door = { endpoint: undefined as string | undefined }
    const user = openSettings(pushDoor(door))
    expect((await theSwitch()).checked).toBe(false)
    expect(browser.subscribedWith).toEqual([])
    await user.click(await theSwitch())
    await waitFor(() => expect(door.endpoint).toBe(browser.endpoint))
    await waitFor(async () => expect((await theSwitch()).disabled).toBe(false))
    expect((await theSwitch()).checked).toBe(true)
    expect(browser.subscribedWith).toEqual([KEY])
    await user.click(await theSwitch())
    await waitFor(() => expect(browser.isSubscribed()).toBe(false))
    expect(door.endpoint).toBeUndefined()
    await waitFor(async () => expect((await theSwitch()).checked).toBe(false))
  })

  test('says what to do where the person refused, and follows when they allow it', async () => {
    const browser = standInForPush('denied')
    openSettings(pushDoor({ endpoint: undefined }))
    expect(await (await panel()).findByText(/Votre navigateur les refuse/)).toBeTruthy()
    expect((await theSwitch()).disabled).toBe(true)
    browser.allow('default')
    await waitFor(async () => expect((await theSwitch()).disabled).toBe(false))
  })

  test('stays off when the question was left unanswered', async () => {
    const browser = standInForPush('default')
    browser.answer = 'default'
    const user = openSettings(pushDoor({ endpoint: undefined }))
    await user.click(await theSwitch())
    expect(await (await panel()).findByText(/attend votre accord/)).toBeTruthy()
    expect((await theSwitch()).checked).toBe(false)
    expect(browser.isSubscribed()).toBe(false)
  })

  test('turns back when the push service or the server refuses', async () => {
    const browser = standInForPush('granted')
    browser.isCutOff = true
    const user = openSettings([
      answer(savePushSubscription, refusal('unknown_push_service')),
      ...pushDoor({ endpoint: undefined }),
    ])
    await user.click(await theSwitch())
    expect(await (await panel()).findByText(/n’a pas pu s’abonner/)).toBeTruthy()
    expect((await theSwitch()).checked).toBe(false)
    browser.isCutOff = false
    await user.click(await theSwitch())
    expect(await (await panel()).findByText(/que Révélations ne connaît pas/)).toBeTruthy()
    expect((await theSwitch()).checked).toBe(false)
    expect(browser.isSubscribed()).toBe(false)
  })

  test('says that the preferences leave reminders alone', async () => {
    const browser = standInForPush('granted')
    subscribe(browser)
    const { page, push } = allSwitches()
    const noPush = Object.fromEntries(Object.keys(push).map((kind) => [kind, false]))
    openSettings([
      answer(getNotificationSwitches, { page, push: noPush as typeof push }),
      ...pushDoor({ endpoint: browser.endpoint }),
    ])
    expect(await (await panel()).findByText(/seuls vos rappels/)).toBeTruthy()
  })

  test('is not there where the operator switched it off', async () => {
    standInForPush('default')
    openSettings([answer(getPush, { public_key: null, subscribed: false })])
    await screen.findByRole('switch', { name: /Notifications par e-mail/ })
    await waitFor(() => expect(screen.queryByText('Notifications sur cet appareil')).toBeNull())
  })

  test('is no switch in a browser that cannot, and says so', async () => {
    openSettings()
    expect(await (await panel()).findByText(/ne sait pas en recevoir/)).toBeTruthy()
  })

  test('is a way to install the site on an iPhone', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone) Safari/604.1')
    openSettings()
    expect(await (await panel()).findByText(/une fois le site installé/)).toBeTruthy()
    vi.restoreAllMocks()
  })
})

describe('whoever is told on this device', () => {
  test('goes on being told in a new session, by whatever address the browser has', async () => {
    const browser = standInForPush('granted')
    subscribe(browser)
    browser.endpoint = `${browser.endpoint}/nouvelle`
    const door = { endpoint: undefined as string | undefined }
    openSettings(pushDoor(door))
    await waitFor(() => expect(door.endpoint).toBe(browser.endpoint))
  })

  test('is inscribed again where the server lost them, before their eyes', async () => {
    const browser = standInForPush('granted')
    subscribe(browser)
    const door = { endpoint: undefined as string | undefined }
    openSettings(pushDoor(door))
    await waitFor(async () => expect((await theSwitch()).checked).toBe(true))
    expect(door.endpoint).toBe(browser.endpoint)
  })

  test('is told no more once they sign out', async () => {
    const browser = standInForPush('default')
    const user = openSettings(pushDoor({ endpoint: undefined }))
    await user.click(await theSwitch())
    await waitFor(() => expect(browser.isSubscribed()).toBe(true))
    await waitFor(async () => expect((await theSwitch()).disabled).toBe(false))
    await user.click(screen.getByRole('button', { name: 'Déconnexion' }))
    await waitFor(() => expect(browser.isSubscribed()).toBe(false))
    expect(localStorage.getItem('push_told')).toBeNull()
  })
})

describe('a trial', () => {
  standInForDatabases()
  afterEach(deleteReceivedPush)

  async function openTrial(trial: RequestHandler) {
    const browser = standInForPush('granted')
    subscribe(browser)
    const user = openSettings([trial, ...pushDoor({ endpoint: browser.endpoint })])
    const region = await panel()
    const send = async () =>
      user.click(await region.findByRole('button', { name: 'M’en envoyer une d’essai' }))
    return { region, send }
  }

  test('says that it left, then that it arrived, and when the last one did', async () => {
    const { region, send } = await openTrial(answer(testPush, { queued: true }))
    expect(await region.findByText(/n’est encore arrivée sur cet appareil/)).toBeTruthy()
    await send()
    expect(await region.findByText(/Elle est partie/)).toBeTruthy()
    // As the service worker does with what its push service hands it.
    await storeReceivedPush()
    expect(await region.findByText('Elle est arrivée')).toBeTruthy()
    expect(region.getByText(/^Dernière notification reçue le \d.* à \d\d:\d\d\.$/)).toBeTruthy()
    expect(region.queryByText(/Elle est partie/)).toBeNull()
  })

  test('that does not arrive says what to look at', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
    const { region, send } = await openTrial(answer(testPush, { queued: true }))
    await send()
    await region.findByText(/Elle est partie/)
    await act(() => vi.advanceTimersByTimeAsync(21_000))
    expect(region.getByText('Rien n’est encore arrivé')).toBeTruthy()
    vi.useRealTimers()
  })

  test('of a device that the site does not know says so', async () => {
    const { region, send } = await openTrial(answer(testPush, { queued: false }))
    await send()
    expect(await region.findByText(/ne sait plus joindre cet appareil/)).toBeTruthy()
    expect(region.queryByText(/Elle est partie/)).toBeNull()
  })

  test('that cannot leave says why', async () => {
    const { region, send } = await openTrial(answer(testPush, refusal('too_many_requests')))
    await send()
    expect((await region.findByRole('alert')).textContent).toMatch(/^Trop de demandes/)
  })
})
