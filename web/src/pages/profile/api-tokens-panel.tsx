import { useQuery } from '@tanstack/react-query'
import { KeySquare, Plus } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { API_TOKENS_PER_ACCOUNT, type ApiToken } from '#contract/api-tokens.ts'
import { hasFeature } from '#contract/subscriptions.ts'
import { apiTokensQuery, useRevokeApiToken } from '#web/features/account/api-tokens.queries.ts'
import { PlansLink } from '#web/features/subscriptions/plans-link.tsx'
import { subscriptionQuery } from '#web/features/subscriptions/subscriptions.queries.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { serverNow } from '#web/lib/clock.ts'
import { browserTimeZone, formatDay, formatRelative } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice, QueryFailure } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'

const ApiTokenDialog = lazy(async () => ({
  default: (await import('./api-token-dialog.tsx')).ApiTokenDialog,
}))

/** What programs may call the API with, in the name of the account. */
export function ApiTokensPanel({ email }: { email: string }) {
  const query = useQuery(apiTokensQuery)
  const { data: subscription } = useQuery(subscriptionQuery)
  const [isCreating, setCreating] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const { data: tokens, error } = query
  const isIncluded = subscription && hasFeature(subscription.subscription_type, 'api')
  const isFull = (tokens?.length ?? 0) >= API_TOKENS_PER_ACCOUNT
  return (
    <Panel
      title="Jetons d’accès"
      intro="Pour qu’un programme lise ou écrive en votre nom par l’API, sans votre mot de passe."
    >
      {!tokens && error && <QueryFailure query={query} fallback="Erreur API" />}
      {!tokens && !error && (
        <div role="status">
          <span className="sr-only">Chargement des jetons</span>
          <Skeleton className="h-14" />
        </div>
      )}
      {tokens && tokens.length > 0 && isIncluded === false && (
        <Notice tone="warning" className="mb-4">
          Votre plan ne comprend plus l’API&#8239;: ces jetons n’ouvrent rien pour l’instant, et
          serviront à nouveau avec un plan Pro ou Illimité.
        </Notice>
      )}
      {tokens && tokens.length > 0 && <TokenList tokens={tokens} />}
      {tokens && isIncluded && (
        <Button
          ref={opener}
          variant="secondary"
          className="mt-2"
          disabled={isFull}
          icon={<Plus aria-hidden="true" className="size-5" />}
          onClick={() => setCreating(true)}
        >
          Créer un jeton
        </Button>
      )}
      {tokens && isIncluded && isFull && (
        <p className="mt-2 text-ink-soft text-sm">
          Vous en avez vingt. Révoquez-en un avant d’en créer un autre.
        </p>
      )}
      {tokens && isIncluded === false && (
        <div className="flex flex-col items-start gap-3">
          {tokens.length === 0 && <p>L’API privée est comprise dans les plans Pro et Illimité.</p>}
          <PlansLink />
        </div>
      )}
      <p className="mt-4 text-ink-soft text-sm">
        <a href="/api/docs" className="underline">
          La description de l’API
        </a>{' '}
        dit chaque appel et ce qu’il demande. Changer de mot de passe ou déconnecter tous les autres
        appareils révoque tous les jetons.
      </p>
      {isCreating && (
        <Suspense>
          <ApiTokenDialog
            email={email}
            onClose={() => setCreating(false)}
            returnTo={() => opener.current}
          />
        </Suspense>
      )}
    </Panel>
  )
}

function TokenList({ tokens }: { tokens: readonly ApiToken[] }) {
  const revoke = useRevokeApiToken()
  const [toRevoke, setToRevoke] = useState<ApiToken>()
  const list = useRef<HTMLUListElement>(null)
  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label="Vos jetons" className="-mt-2 divide-y divide-line">
        {tokens.map((token) => (
          <li key={token.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3">
            <KeySquare aria-hidden="true" className="size-6 shrink-0 text-ink-soft max-sm:hidden" />
            <div className="min-w-0 flex-1 basis-40 leading-snug">
              <p className="font-semibold [overflow-wrap:anywhere]">{token.name}</p>
              <p className="text-ink-soft text-sm">{factsOf(token)}</p>
            </div>
            <Button
              variant="secondary"
              aria-label={`Révoquer ${token.name}`}
              onClick={() => {
                revoke.reset()
                setToRevoke(token)
              }}
            >
              Révoquer
            </Button>
          </li>
        ))}
      </ul>
      {toRevoke && (
        <ConfirmDialog
          open
          onOpenChange={(isOpen) => !isOpen && setToRevoke(undefined)}
          title={`Révoquer «\u202F${toRevoke.name}\u202F»\u202F?`}
          description="Le programme qui s’en sert n’entrera plus. Un jeton révoqué ne revient pas."
          confirmLabel="Révoquer"
          busy={revoke.isPending}
          error={revoke.error ? errorSentence(revoke.error, 'Erreur API') : undefined}
          onConfirm={() => revoke.mutate(toRevoke.id, { onSuccess: () => setToRevoke(undefined) })}
          returnTo={() => list.current}
        />
      )}
    </>
  )
}

/** « Lire et écrire. Créé le 3 mars 2027, utilisé il y a 2 heures, expire le 3 juin 2027. » */
function factsOf({ scopes, created_at, last_used_at, expires_at }: ApiToken): string {
  const day = (instant: string) => formatDay(instant, browserTimeZone())
  const now = serverNow()
  const facts = [
    `créé le ${day(created_at)}`,
    last_used_at ? `utilisé ${formatRelative(last_used_at, now)}` : 'jamais utilisé',
  ]
  if (expires_at) {
    facts.push(`${Date.parse(expires_at) > now ? 'expire' : 'expiré'} le ${day(expires_at)}`)
  }
  return `${scopes.includes('write') ? 'Lire et écrire' : 'Lire'} · ${facts.join(', ')}`
}
