import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Share } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { getPush } from '#contract/push.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { ApiError, callApi, errorSentence } from '#web/lib/api-client.ts'
import { isIosBrowser, isStandalone } from '#web/lib/device.ts'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { loadPushRegistration } from './push-storage.ts'
import { subscribe, unsubscribe } from './push-subscription.ts'
import { PushTrial } from './push-trial.tsx'

interface PushPanelProps {
  /** A note below the switch. */
  note?: ReactNode
}

/** Switches push notifications on this device; renders nothing where the operator switched them off. */
export function PushPanel({ note }: PushPanelProps) {
  const support = readPushSupport()
  if (support === 'ready') return <ReadyPanel note={note} />
  return (
    <Framed>
      {support === 'missing' ? (
        <p>Ce navigateur ne sait pas en recevoir. Les e-mails vous préviennent quand même.</p>
      ) : (
        <p className="flex items-start gap-3">
          <Share aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-wax-ink" />
          <span>
            Sur iPhone et iPad, elles arrivent une fois le site installé. Touchez
            «&#8239;Partager&#8239;», puis «&#8239;Sur l’écran d’accueil&#8239;», et revenez ici
            depuis l’application.
          </span>
        </p>
      )}
    </Framed>
  )
}

function Framed({ children }: { children: ReactNode }) {
  return (
    <Panel
      title="Notifications sur cet appareil"
      intro="Ce qui vous arrive, à l’instant même, que le site soit ouvert ou fermé."
    >
      {children}
    </Panel>
  )
}

function ReadyPanel({ note }: PushPanelProps) {
  const { id } = useSignedInUser()
  const { data: push, error } = usePush(id)
  const toggle = useTogglePush(id)
  if (push?.publicKey === null) return null
  if (!push) {
    return (
      <Framed>
        {error ? (
          <Notice tone="error">{errorSentence(error, 'Erreur API')}</Notice>
        ) : (
          <div role="status">
            <span className="sr-only">Chargement de ce réglage</span>
            <Skeleton className="h-16" />
          </div>
        )}
      </Framed>
    )
  }
  const { publicKey, permission, isOn } = push
  const isDenied = permission === 'denied'
  const wanted = toggle.isPending ? toggle.variables.isOn : isOn
  const wasDismissed = toggle.isSuccess && toggle.variables.isOn && permission === 'default'
  return (
    <Framed>
      <Switch
        label="Me prévenir ici"
        hint="Ce que vous avez choisi pour vos appareils, et vos rappels. Jamais un titre ni un mot d’une lettre."
        checked={wanted}
        disabled={isDenied || toggle.isPending}
        aria-busy={toggle.isPending}
        onChange={({ target }) => toggle.mutate({ publicKey, isOn: target.checked })}
      />
      <div role="status">{toggle.isPending && wanted && <Requesting />}</div>
      {isDenied && <Denied />}
      {wasDismissed && (
        <Notice className="mt-3">
          Votre navigateur attend votre accord. Touchez l’interrupteur à nouveau, puis choisissez
          «&#8239;Autoriser&#8239;».
        </Notice>
      )}
      {toggle.error && (
        <Notice tone="error" className="mt-3">
          {sentenceOf(toggle.error)}
        </Notice>
      )}
      {isOn && <PushTrial />}
      {isOn && note}
    </Framed>
  )
}

function Requesting() {
  return <p className="mt-2 text-ink-soft text-sm">Votre navigateur s’en occupe…</p>
}

function Denied() {
  const isApp = isStandalone()
  return (
    <Notice tone="warning" className="mt-3" title="Votre navigateur les refuse pour ce site">
      {isApp && isIosBrowser() && (
        <>Dans les Réglages de l’appareil, ouvrez Notifications, puis Révélations.</>
      )}
      {isApp && !isIosBrowser() && (
        <>Dans les réglages de l’appareil, ouvrez Applications, Révélations, puis Notifications.</>
      )}
      {!isApp && (
        <>
          Touchez l’icône à gauche de l’adresse, puis Notifications ou Autorisations, et choisissez
          «&#8239;Autoriser&#8239;».
        </>
      )}
    </Notice>
  )
}

/** The message of a browser about its push service is technical, and in English. */
function sentenceOf(error: Error): string {
  const fallback =
    'Votre navigateur n’a pas pu s’abonner. Vérifiez votre connexion ; en navigation privée, il ne le peut pas.'
  return error instanceof ApiError ? errorSentence(error, fallback) : fallback
}

const pushQuery = (userId: string) =>
  queryOptions({
    queryKey: ['push', userId],
    queryFn: async ({ signal }) => {
      const { public_key, subscribed } = await callApi(getPush, {}, { signal })
      const { permission } = Notification
      const isOn =
        subscribed && permission === 'granted' && loadPushRegistration()?.userId === userId
      return { publicKey: public_key, permission, isOn }
    },
  })

/** Refetches when the permission changes. */
function usePush(userId: string) {
  const client = useQueryClient()
  const query = pushQuery(userId)
  useEffect(() => {
    const stop = new AbortController()
    const refetch = () => void client.invalidateQueries({ queryKey: ['push'] })
    navigator.permissions
      ?.query({ name: 'notifications' })
      .then((status) => status.addEventListener('change', refetch, { signal: stop.signal }))
      .catch(() => undefined)
    return () => stop.abort()
  }, [client])
  return useQuery(query)
}

/** A browser requests the permission only within a tap. */
function useTogglePush(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ publicKey, isOn }: { publicKey: string; isOn: boolean }) => {
      if (!isOn) return unsubscribe()
      const permission = await Notification.requestPermission()
      if (permission === 'granted') await subscribe(publicKey, userId)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['push'] }),
  })
}

/** `installable`: an iPhone supports installed sites only. */
type PushSupport = 'ready' | 'installable' | 'missing'

function readPushSupport(): PushSupport {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)
    return 'ready'
  return isIosBrowser() && !isStandalone() ? 'installable' : 'missing'
}
