import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { resetPasswordInputSchema } from '#contract/account.ts'
import { AuthPage } from '#web/features/auth/auth-page.tsx'
import {
  confirmationSchema,
  matchesConfirmation,
  NewPasswordFields,
} from '#web/features/auth/new-password-fields.tsx'
import { useResetPassword } from '#web/features/auth/password-reset.queries.ts'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { requestHeadingFocus } from '#web/lib/focus.ts'
import { useApiForm } from '#web/lib/forms.ts'
import { useLinkToken } from '#web/lib/link-token.ts'
import { paths } from '#web/lib/paths.ts'
import { readToken } from '#web/lib/session-token.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { showToast } from '#web/ui/toasts.tsx'

export function NewPasswordPage() {
  const { token, forget } = useLinkToken()
  const navigate = useNavigate()
  const [spent, setSpent] = useState<string>()
  if (!token || token === spent) return <DeadLink isKnown={token !== undefined} />
  return (
    <AuthPage
      title="Nouveau mot de passe"
      intro="Le choisir déconnecte tous vos appareils et met fin à l’adresse à laquelle un agenda suit votre calendrier."
      aside={<WayBack />}
    >
      <NewPasswordForm
        token={token}
        onExpired={() => {
          requestHeadingFocus()
          forget()
          setSpent(token)
        }}
        onChanged={() => {
          forget()
          if (readToken()) showToast('success', 'Le mot de passe est changé.')
          navigate(paths.login, { replace: true, state: { hasNewPassword: true } })
        }}
      />
    </AuthPage>
  )
}

function DeadLink({ isKnown }: { isKnown: boolean }) {
  return (
    <AuthPage
      title={isKnown ? 'Ce lien n’est plus valable' : 'Il manque une partie du lien'}
      intro={
        isKnown
          ? 'Un lien sert une fois, pendant 30\u00A0minutes. Le dernier envoyé est le bon.'
          : 'Ouvrez-le depuis l’e-mail que vous avez reçu, ou demandez-en un autre.'
      }
      aside={<WayBack />}
    >
      <ButtonLink to={paths.forgottenPassword} large block>
        Recevoir un nouveau lien
      </ButtonLink>
    </AuthPage>
  )
}

function WayBack() {
  return (
    <Link
      to={paths.login}
      className="inline-flex min-h-11 items-center font-semibold text-wax-ink underline underline-offset-4"
    >
      Retour à la connexion
    </Link>
  )
}

const formSchema = z
  .extend(z.pick(resetPasswordInputSchema, { password: true }), {
    confirmation: confirmationSchema,
  })
  .check(matchesConfirmation)

interface NewPasswordFormProps {
  token: string
  onChanged: () => void
  onExpired: () => void
}

function NewPasswordForm({ token, onChanged, onExpired }: NewPasswordFormProps) {
  const { field, submit, isPending, error } = useApiForm({
    schema: formSchema,
    defaultValues: { password: '', confirmation: '' },
    mutation: useResetPassword(),
    inputOf: ({ password }) => ({ token, password }),
    fields: ['password'],
    onSuccess: onChanged,
    onError: (failure) => {
      if (failure instanceof ApiError && failure.code === 'link_expired') onExpired()
    },
  })
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={submit}>
      <NewPasswordFields password={field('password')} confirmation={field('confirmation')} />
      {error && (
        <Notice tone="error">
          {errorSentence(error, 'Erreur lors du changement de mot de passe')}
        </Notice>
      )}
      <Button type="submit" large block busy={isPending} busyLabel="Changement en cours">
        Enregistrer le mot de passe
      </Button>
    </form>
  )
}
