import { PencilLine } from 'lucide-react'
import { useId } from 'react'
import { useWatch } from 'react-hook-form'
import { KIND_NOUNS } from '#contract/kinds.ts'
import { CONTENT_MAX_LENGTH } from '#contract/sealing.ts'
import { pasteFiles, useFileDrop } from '#web/features/media/use-file-drop.ts'
import { StationerySection } from '#web/features/revelations/stationery-section.tsx'
import { WritingHelp } from '#web/features/revelations/writing-help.tsx'
import { PlanStationery } from '#web/features/subscriptions/plan-stationery.tsx'
import { fieldProps } from '#web/lib/forms.ts'
import { classNames } from '#web/ui/class-names.ts'
import { FieldError } from '#web/ui/form-field.tsx'
import { LengthCount } from '#web/ui/length-count.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { AddFirstFiles, LetterFiles } from './letter-files.tsx'
import type { Writing } from './use-writing.ts'

interface LetterStepProps {
  writing: Writing
  /** One wanted to go on, and could not. */
  isTried: boolean
}

/** The sheet that one writes on: as it will be read. */
export function LetterStep({ writing, isTried }: LetterStepProps) {
  const { form, state } = writing
  const { album } = state
  const { isOver, target } = useFileDrop(album.add)
  const [kind, paper, ink] = useWatch({ control: form.control, name: ['kind', 'paper', 'ink'] })
  const called = `Votre ${KIND_NOUNS[kind ?? 'letter'].noun}`
  return (
    <>
      <PageHeading documentTitle="Les mots · Écrire" className="sr-only">
        {called}
      </PageHeading>
      <div
        {...target}
        onPaste={pasteFiles(album.add)}
        data-paper={paper}
        data-ink={ink}
        className={classNames(
          'theme-paper -mx-4 flex flex-col gap-4 border-line border-y bg-surface px-5 py-6 text-ink sm:mx-0 sm:rounded-card sm:border-x sm:px-16 sm:py-9 sm:shadow-soft',
          isOver && 'outline-3 outline-wax-ink outline-dashed',
        )}
      >
        <TitleLine writing={writing} />
        <Words writing={writing} label={called} />
        <LetterFiles writing={writing} isTried={isTried} />
      </div>
      <div className="flex flex-wrap gap-2">
        <AddFirstFiles album={album} />
        <WritingHelp
          form={form}
          // An answer is spoken only where it can be the first file.
          onRecorded={album.items.length > 0 ? undefined : (file) => album.add([file])}
        />
      </div>
      <StationerySection form={form}>
        <PlanStationery form={form} />
      </StationerySection>
    </>
  )
}

/** The first line of the envelope: written already, and changed at a touch. */
function TitleLine({ writing: { form } }: { writing: Writing }) {
  const id = useId()
  const { error, ...title } = fieldProps(form, 'title')
  return (
    <div>
      <label htmlFor={id} className="sr-only">
        Titre
      </label>
      <div className="relative flex items-center border-line border-b focus-within:border-ink">
        <input
          {...title}
          id={id}
          type="text"
          autoComplete="off"
          aria-describedby={`${id}-hint${error ? ` ${id}-error` : ''}`}
          aria-invalid={error ? true : undefined}
          className="min-h-12 w-full min-w-0 rounded-t-field bg-transparent pr-9 font-serif focus-visible:outline-2 focus-visible:outline-line-strong text-2xl text-letter-ink sm:text-3xl"
        />
        <PencilLine
          aria-hidden="true"
          className="pointer-events-none absolute right-1 size-5 text-ink-soft"
        />
      </div>
      <div className="mt-1 text-sm">
        <p id={`${id}-hint`} className="text-ink-soft">
          Visible sur l’enveloppe, avant la date.
        </p>
        {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      </div>
    </div>
  )
}

const COUNTED_FROM = CONTENT_MAX_LENGTH - 1_000

function Words({ writing: { form }, label }: { writing: Writing; label: string }) {
  const id = useId()
  const { error, ...content } = fieldProps(form, 'content')
  const [recipients, length] = useWatch({
    control: form.control,
    name: ['recipients', 'content'],
    compute: ([people, words]) => [people, words.length] as const,
  })
  const [{ name = '' } = {}] = recipients
  return (
    <div>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      {/* Above the words: below them a phone shows the way on. */}
      <div className="mb-3 empty:hidden">
        {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      </div>
      <textarea
        {...content}
        id={id}
        rows={10}
        placeholder={
          recipients.length === 1 && name.trim() ? `Bonjour ${name.trim()},` : 'Commencez ici…'
        }
        aria-describedby={error ? `${id}-error` : undefined}
        aria-invalid={error ? true : undefined}
        className="field-sizing-content block min-h-[45dvh] w-full max-w-reading resize-none rounded-field bg-transparent font-serif focus-visible:outline-2 focus-visible:outline-line-strong focus-visible:outline-offset-8 text-letter-ink text-xl leading-relaxed placeholder:text-ink-soft sm:text-[1.3125rem] sm:leading-relaxed"
      />
      {length > COUNTED_FROM && (
        <LengthCount
          length={length}
          limit={CONTENT_MAX_LENGTH}
          className="block text-right text-sm"
        />
      )}
    </div>
  )
}
