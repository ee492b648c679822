import { Plus, X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import { instantInWords, zoneInWords } from '#contract/date-in-words.ts'
import { CATEGORIES, VISIBILITIES, type Visibility } from '#contract/revelations.ts'
import { CONTENT_MAX_LENGTH } from '#contract/sealing.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ChoiceTiles } from '#web/ui/choice-tiles.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Notice } from '#web/ui/notice.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { MomentFields } from './moment-fields.tsx'
import type { RevelationDraft } from './revelation-draft.ts'
import { CATEGORY_LABELS, VISIBILITY_LABELS } from './revelation-labels.ts'
import { VISIBILITY_HINTS } from './visibility-hints.ts'

interface RevelationFieldsProps {
  form: UseFormReturn<RevelationDraft>
  timeZone: string
  /** The first day that may be chosen. */
  firstDay: string
  /** The section of the attached file. */
  file: ReactNode
  /** Below the recipients. */
  children?: ReactNode
}

/** The fields of a revelation: letter, file, date, audience and recipients. */
export function RevelationFields({
  form,
  timeZone,
  firstDay,
  file,
  children,
}: RevelationFieldsProps) {
  const setVisibility = useOwnAddress(form)
  return (
    <>
      <FormSection title="La lettre" paper>
        <LetterFields form={form} />
      </FormSection>
      <FormSection title="Un fichier, si vous voulez">{file}</FormSection>
      <FormSection title="Quand">
        <MomentFields
          form={form}
          timeZone={timeZone}
          firstDay={firstDay}
          inWords={(instant, isPast) => <OpensIn {...{ instant, isPast, timeZone }} />}
        />
      </FormSection>
      <FormSection title="Pour qui">
        <AudienceFields form={form} onVisibility={setVisibility} />
        <AddresseeFields form={form}>{children}</AddresseeFields>
      </FormSection>
    </>
  )
}

/** « Personnel » fills in the author's own address; another choice removes it unless it was changed. */
function useOwnAddress(form: UseFormReturn<RevelationDraft>) {
  const { email } = useSignedInUser()
  return (visibility: Visibility) => {
    const { visibility: before, target_email } = form.getValues()
    form.setValue('visibility', visibility, { shouldDirty: true })
    const write = (address: string) =>
      form.setValue('target_email', address, {
        shouldDirty: true,
        shouldValidate: form.formState.isSubmitted,
      })
    if (visibility === 'private' && target_email.trim() === '') write(email)
    else if (before === 'private' && target_email === email) write('')
  }
}

interface OpensInProps {
  instant: Date
  isPast: boolean
  timeZone: string
}

function OpensIn({ instant, isPast, timeZone }: OpensInProps) {
  if (isPast) {
    return (
      <Notice tone="warning" title="Elle sera dévoilée immédiatement">
        Cet instant est déjà passé ({zoneInWords(instant, timeZone)}). Choisissez une heure à venir
        pour qu’elle reste scellée.
      </Notice>
    )
  }
  return (
    <p className="text-ink-soft">
      Elle s’ouvrira <strong className="text-ink">{instantInWords(instant, timeZone)}</strong>.
    </p>
  )
}

interface FormSectionProps {
  title: string
  /** The letter itself is written on paper, whatever the light around. */
  paper?: boolean
  children: ReactNode
}

function FormSection({ title, paper = false, children }: FormSectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={classNames(
        '-mx-4 flex flex-col gap-5 border-line border-y bg-surface p-4 text-ink',
        'sm:mx-0 sm:rounded-card sm:border-x sm:p-6 sm:shadow-soft',
        paper && 'theme-paper',
      )}
    >
      <h2 id={id} className="text-2xl">
        {title}
      </h2>
      {children}
    </section>
  )
}

interface LetterFieldsProps {
  form: UseFormReturn<RevelationDraft>
}

function LetterFields({ form }: LetterFieldsProps) {
  const { errors } = form.formState
  const content = useWatch({ control: form.control, name: 'content' })
  return (
    <>
      <TextField
        label="Titre"
        hint="Visible sur l’enveloppe, avant la date."
        autoComplete="off"
        error={errors.title?.message}
        {...form.register('title')}
      />
      <TextArea
        label="Contenu"
        hint="Scellé jusqu’à la date."
        serif
        style={{ minHeight: 'min(20rem, 40dvh)' }}
        limit={CONTENT_MAX_LENGTH}
        length={content.length}
        error={errors.content?.message}
        {...form.register('content')}
      />
    </>
  )
}

interface AudienceFieldsProps {
  form: UseFormReturn<RevelationDraft>
  onVisibility: (visibility: Visibility) => void
}

function AudienceFields({ form, onVisibility }: AudienceFieldsProps) {
  const { errors } = form.formState
  const visibility = useWatch({ control: form.control, name: 'visibility' })
  return (
    <>
      <div>
        <ChoiceTiles
          legend="Visibilité"
          name="visibility"
          choices={VISIBILITIES.map((value) => choice(value, VISIBILITY_LABELS[value]))}
          value={visibility}
          onChange={onVisibility}
          error={errors.visibility?.message}
        />
        <p role="status" className="mt-2 text-ink-soft text-sm">
          {VISIBILITY_HINTS[visibility].hint}
        </p>
      </div>
      <Controller
        control={form.control}
        name="category"
        render={({ field }) => (
          <ChoiceTiles
            legend="Catégorie"
            name="category"
            choices={CATEGORIES.map((value) => choice(value, CATEGORY_LABELS[value]))}
            value={field.value}
            onChange={field.onChange}
            error={errors.category?.message}
          />
        )}
      />
    </>
  )
}

type Words = (typeof CATEGORY_LABELS)[keyof typeof CATEGORY_LABELS]

function choice<Value extends string>(value: Value, { label, icon: Icon }: Words) {
  return { value, label, icon: <Icon className="size-5" /> }
}

interface AddresseeFieldsProps {
  form: UseFormReturn<RevelationDraft>
  /** Below the addresses. */
  children?: ReactNode
}

/** The address of the recipient, and a second one if wanted. */
function AddresseeFields({ form, children }: AddresseeFieldsProps) {
  const { errors } = form.formState
  return (
    <div className="flex flex-col gap-2">
      <TextField
        {...ADDRESS}
        label="Email du destinataire"
        hint="La lettre lui est livrée à la date, par un lien personnel."
        error={errors.target_email?.message}
        {...form.register('target_email')}
      />
      <SecondAddress form={form} />
      {children}
    </div>
  )
}

function SecondAddress({ form }: AddresseeFieldsProps) {
  const address = useWatch({ control: form.control, name: 'second_email' })
  const [isWanted, setWanted] = useState(false)
  const error = form.formState.errors.second_email?.message
  const { setFocus } = form
  useEffect(() => {
    if (isWanted) setFocus('second_email')
  }, [isWanted, setFocus])
  if (!isWanted && !address && !error) {
    return (
      <Button
        variant="ghost"
        className="-ml-4 self-start"
        icon={<Plus aria-hidden="true" className="size-5" />}
        onClick={() => setWanted(true)}
      >
        Ajouter une seconde adresse
      </Button>
    )
  }
  const remove = () => {
    form.setValue('second_email', '', { shouldDirty: true })
    form.clearErrors('second_email')
    setWanted(false)
    form.setFocus('target_email')
  }
  return (
    <TextField
      {...ADDRESS}
      label="Seconde adresse"
      optional
      hint="Une autre boîte mail où la lettre part au même instant, par un lien à elle."
      error={error}
      trailing={
        <IconButton
          label="Retirer la seconde adresse"
          icon={<X aria-hidden="true" className="size-5" />}
          onClick={remove}
        />
      }
      className="mt-3"
      {...form.register('second_email')}
    />
  )
}

const ADDRESS = {
  type: 'email',
  inputMode: 'email',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
} as const
