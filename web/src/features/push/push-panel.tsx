import { Share } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { isIosBrowser, isStandalone } from '#web/lib/installed-state.ts'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { usePush, useTurnPush } from './push.queries.ts'
import { readPushSupport } from './push-support.ts'

interface PushPanelProps {
  /** What else is to be known of what arrives here. */
  note?: ReactNode
}

/** Whether this device is told the moment something opens; nothing where the operator switched it off. */
export function PushPanel({ note }: PushPanelProps) {
  const support = readPushSupport()
  if (support === 'ready') return <ReadyPanel note={note} />
  return (
    <Framed>
      {support === 'missing' ? (
        <p>Ce navigateur ne sait pas en recevoir. Les mails vous préviennent quand même.</p>
      ) : (
        <p className="flex items-start gap-3">
          <Share aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-wax-ink" />
          <span>
            Sur iPhone et iPad, elles arrivent une fois le site installé. Touchez
            «&nbsp;Partager&nbsp;», puis «&nbsp;Sur l’écran d’accueil&nbsp;», et revenez ici depuis
            l’application.
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
      intro="À l’instant où une révélation s’ouvre, même quand le site est fermé."
    >
      {children}
    </Panel>
  )
}

function ReadyPanel({ note }: PushPanelProps) {
  const { id } = useSignedInUser()
  const { data: push, error } = usePush(id)
  const turn = useTurnPush(id)
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
  const wanted = turn.isPending ? turn.variables.isOn : isOn
  const wasDismissed = turn.isSuccess && turn.variables.isOn && permission === 'default'
  return (
    <Framed>
      <Switch
        label="Me prévenir ici"
        hint="Vos révélations, celles qui vous sont adressées, celles de votre cercle, et vos rappels. Jamais leur titre ni leur contenu."
        checked={wanted}
        disabled={isDenied || turn.isPending}
        aria-busy={turn.isPending}
        onChange={({ target }) => turn.mutate({ publicKey, isOn: target.checked })}
      />
      <div role="status">{turn.isPending && wanted && <Asking />}</div>
      {isDenied && <Denied />}
      {wasDismissed && (
        <Notice className="mt-3">
          Votre navigateur attend votre accord. Touchez l’interrupteur à nouveau, puis choisissez
          «&nbsp;Autoriser&nbsp;».
        </Notice>
      )}
      {turn.error && (
        <Notice tone="error" className="mt-3">
          {sentenceOf(turn.error)}
        </Notice>
      )}
      {isOn && note}
    </Framed>
  )
}

function Asking() {
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
          «&nbsp;Autoriser&nbsp;».
        </>
      )}
    </Notice>
  )
}

/** A browser says in its own words, and in English, why its push service gave no address. */
function sentenceOf(error: Error): string {
  const fallback =
    'Votre navigateur n’a pas pu s’abonner. Vérifiez votre connexion ; en navigation privée, il ne le peut pas.'
  return error instanceof ApiError ? errorSentence(error, fallback) : fallback
}
