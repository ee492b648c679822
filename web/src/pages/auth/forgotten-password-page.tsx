import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { forgotPasswordInputSchema } from '#contract/account.ts'
import { AuthPage } from '#web/features/auth/auth-page.tsx'
import { useForgotPassword } from '#web/features/auth/password-reset.queries.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { errorSentence, isTooOften } from '#web/lib/api-client.ts'
import { requestHeadingFocus } from '#web/lib/focus.ts'
import { useApiForm } from '#web/lib/forms.ts'
import { useCooldown } from '#web/lib/hooks.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { EmailAddress } from '#web/ui/email-address.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextField } from '#web/ui/text-field.tsx'

export function ForgottenPasswordPage() {
  const { user } = useSession()
  const { state } = useLocation()
  const [email, setEmail] = useState(
    (state as { email?: string } | null)?.email ?? user?.email ?? '',
  )
  const [isSent, setSent] = useState(false)
  const show = (next: boolean) => {
    requestHeadingFocus()
    setSent(next)
  }
  return (
    <AuthPage
      key={String(isSent)}
      title={isSent ? 'Regardez votre messagerie' : 'Mot de passe oublié'}
      intro={
        isSent
          ? 'Si un compte existe à cette adresse, un lien vient de partir. Il vaut 30\u00A0minutes. Après trois e-mails en un jour, rien d’autre ne part\u202F: le dernier lien vaut alors 24\u00A0heures.'
          : 'Donnez l’adresse de votre compte : un lien pour choisir un autre mot de passe y sera envoyé.'
      }
      aside={
        <Link
          to={user ? paths.home : paths.login}
          state={user ? null : state}
          className="inline-flex min-h-11 items-center font-semibold text-wax-ink underline underline-offset-4"
        >
          {user ? 'Retour à l’accueil' : 'Retour à la connexion'}
        </Link>
      }
    >
      {isSent ? (
        <LinkSent email={email} onOtherAddress={() => show(false)} />
      ) : (
        <ForgottenPasswordForm
          email={email}
          onSent={(address) => {
            setEmail(address)
            show(true)
          }}
        />
      )}
    </AuthPage>
  )
}

interface ForgottenPasswordFormProps {
  /** The address typed on the former page. */
  email: string
  onSent: (email: string) => void
}

function ForgottenPasswordForm({ email, onSent }: ForgottenPasswordFormProps) {
  const { field, submit, isPending, error } = useApiForm({
    schema: forgotPasswordInputSchema,
    defaultValues: { email },
    mutation: useForgotPassword(),
    inputOf: (input) => input.email,
    onSuccess: (_, address) => onSent(address),
  })
  return (
    <form
      // Without JavaScript, a browser must not put the fields into an address.
      method="post"
      noValidate
      className="flex flex-col gap-5"
      onSubmit={submit}
    >
      <TextField
        label="E-mail"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        {...field('email')}
      />
      {error && (
        <Notice tone="error">{errorSentence(error, 'Le lien n’a pas pu être demandé')}</Notice>
      )}
      <Button type="submit" large block busy={isPending} busyLabel="Demande en cours">
        Recevoir un lien
      </Button>
    </form>
  )
}

const PAUSE_MS = 60_000

interface LinkSentProps {
  email: string
  onOtherAddress: () => void
}

/** Looks the same whether or not the address has an account. */
function LinkSent({ email, onOtherAddress }: LinkSentProps) {
  const { mutate: sendLink, isPending, isSuccess, error } = useForgotPassword()
  const { secondsLeft, begin } = useCooldown(PAUSE_MS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first cooldown begins once, with the page
  useEffect(begin, [])
  return (
    <div className="flex flex-col gap-4">
      <p className="rounded-field bg-sunken px-4 py-3 text-center font-semibold">
        <EmailAddress>{email}</EmailAddress>
      </p>
      <p className="text-ink-soft">
        Rien après quelques minutes&#8239;? Regardez dans les indésirables, et vérifiez l’adresse.
      </p>
      {error && (
        <Notice tone="error">{errorSentence(error, 'Le lien n’a pas pu être demandé')}</Notice>
      )}
      {isSuccess && <Notice tone="success">C’est redemandé.</Notice>}
      <Button
        variant="secondary"
        block
        busy={isPending}
        disabled={secondsLeft > 0}
        onClick={() =>
          sendLink(email, {
            onSuccess: begin,
            onError: (failure) => isTooOften(failure) && begin(),
          })
        }
      >
        {secondsLeft > 0 ? `Renvoyer un lien dans ${secondsLeft}\u00A0s` : 'Renvoyer un lien'}
      </Button>
      <Button variant="ghost" block onClick={onOtherAddress}>
        Corriger l’adresse
      </Button>
    </div>
  )
}
