import { useId, useLayoutEffect } from 'react'
import * as z from 'zod/mini'
import {
  API_TOKEN_DAYS,
  API_TOKEN_NAME_MAX_LENGTH,
  type ApiTokenInput,
  apiTokenInputSchema,
} from '#contract/api-tokens.ts'
import { useCreateApiToken } from '#web/features/account/api-tokens.queries.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { useApiForm } from '#web/lib/forms.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { CopyField } from '#web/ui/copy-field.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { Select } from '#web/ui/select.tsx'
import { TextField } from '#web/ui/text-field.tsx'

interface ApiTokenDialogProps {
  /** Of the account, for password managers. */
  email: string
  onClose: () => void
  returnTo: () => HTMLElement | null
}

/** Asks what a token is for, then shows it: this once. */
export function ApiTokenDialog({ email, onClose, returnTo }: ApiTokenDialogProps) {
  const formId = useId()
  const create = useCreateApiToken()
  const { data } = create
  return (
    <Dialog
      open
      // The answer under way is the only one that has the token.
      onOpenChange={() => !create.isPending && onClose()}
      isPersistent={data !== undefined}
      returnTo={returnTo}
      title={data ? `«\u202F${data.api_token.name}\u202F»` : 'Créer un jeton'}
      footer={
        data ? (
          <Button onClick={onClose}>J’ai copié le jeton</Button>
        ) : (
          <>
            <Button variant="secondary" disabled={create.isPending} onClick={onClose}>
              Annuler
            </Button>
            <Button type="submit" form={formId} busy={create.isPending} busyLabel="Création">
              Créer le jeton
            </Button>
          </>
        )
      }
    >
      {data ? (
        <NewToken token={data.token} />
      ) : (
        <TokenForm id={formId} email={email} create={create} />
      )}
    </Dialog>
  )
}

const EXPIRIES = [
  { value: '', label: 'Sans fin' },
  ...API_TOKEN_DAYS.map((days) => ({
    value: String(days),
    label: days === 365 ? 'Dans un an' : `Dans ${days}\u00A0jours`,
  })),
]

const { name, password } = apiTokenInputSchema.shape
const formSchema = z.object({ name, password, canWrite: z.boolean(), days: z.string() })

interface TokenFormProps {
  id: string
  email: string
  create: ReturnType<typeof useCreateApiToken>
}

function TokenForm({ id, email, create }: TokenFormProps) {
  const { field, form, submit, error } = useApiForm({
    schema: formSchema,
    mode: 'onSubmit',
    defaultValues: { name: '', password: '', canWrite: false, days: '90' },
    mutation: create,
    inputOf: ({ canWrite, days, ...input }): ApiTokenInput => ({
      ...input,
      scopes: canWrite ? ['read', 'write'] : ['read'],
      expires_in_days: API_TOKEN_DAYS.find((one) => String(one) === days) ?? null,
    }),
    fields: ['name', 'password'],
    codes: { wrong_password: 'password' },
  })
  // A layout effect: no keystroke may go to another field.
  useLayoutEffect(() => form.setFocus('name'), [form.setFocus])
  return (
    <form id={id} noValidate className="mt-3 flex flex-col gap-5" onSubmit={submit}>
      <TextField
        label="Nom"
        hint="Le programme ou l’appareil à qui vous le donnez."
        autoComplete="off"
        maxLength={API_TOKEN_NAME_MAX_LENGTH}
        {...field('name')}
      />
      <fieldset>
        <legend className="font-semibold">Ce qu’il permet</legend>
        <Checkbox
          label="Lire"
          hint="Le fil, vos lettres, celles que vous recevez. Toujours compris."
          checked
          disabled
          readOnly
        />
        <Checkbox
          label="Écrire"
          hint="Sceller, modifier, commenter, réagir, répondre."
          {...field('canWrite')}
        />
        <p className="text-ink-soft text-sm">
          Jamais votre compte&#8239;: ni mot de passe, ni adresse, ni relations, ni plan, ni
          suppression.
        </p>
      </fieldset>
      <Select label="Expiration" options={EXPIRIES} {...field('days')} />
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Votre mot de passe"
        autoComplete="current-password"
        {...field('password')}
      />
      {error && (
        <Notice tone="error">{errorSentence(error, 'Le jeton n’a pas pu être créé.')}</Notice>
      )}
    </form>
  )
}

function NewToken({ token }: { token: string }) {
  const call = `curl -H "Authorization: Bearer ${token}" ${window.location.origin}/api/revelations/received`
  return (
    <div className="mt-3 flex flex-col gap-4">
      <Notice tone="success" title="Copiez-le maintenant">
        Il n’est montré que cette fois. Gardez-le comme un mot de passe.
      </Notice>
      <CopyField
        label="Jeton"
        value={token}
        copyLabel="Copier le jeton"
        copiedWords="Jeton copié"
        refusedWords="La copie n’est pas permise ici. Copiez vous-même le jeton."
        isStacked
      />
      <div>
        <p className="text-ink-soft text-sm">Par exemple, vos lettres reçues&#8239;:</p>
        <pre className="mt-1 whitespace-pre-wrap rounded-field bg-sunken p-3 text-sm [overflow-wrap:anywhere]">
          <code>{call}</code>
        </pre>
      </div>
    </div>
  )
}
