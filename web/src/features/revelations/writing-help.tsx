import { Lightbulb, Undo2 } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { Button } from '#web/ui/button.tsx'
import { type HelpAnswers, NO_ANSWERS } from './helped-writing.ts'
import type { RevelationDraft } from './revelation-draft.ts'

const HelpSheet = lazy(async () => ({ default: (await import('./help-sheet.tsx')).HelpSheet }))

interface WritingHelpProps {
  form: UseFormReturn<RevelationDraft>
  /** Takes an answer that was spoken as a file of the letter, and its question; without it answers are written alone. */
  onRecorded?: ((recording: File, question: string) => void) | undefined
}

/**
 * « M’aider à écrire »: three questions, whose answers become paragraphs of the letter where the caret was, until one takes them
 * back. It stands in the `form` that holds the words.
 */
export function WritingHelp({ form, onRecorded }: WritingHelpProps) {
  const opener = useRef<HTMLButtonElement>(null)
  const isWritten = useRef(false)
  const [isOpen, setOpen] = useState(false)
  const [answers, setAnswers] = useState<HelpAnswers>(NO_ANSWERS)
  const [added, setAdded] = useState<{ before: string; after: string }>()
  const [content, kind] = useWatch({ control: form.control, name: ['content', 'kind'] })
  const area = () =>
    opener.current?.closest('form')?.querySelector<HTMLTextAreaElement>('[name="content"]')
  const write = (words: string) =>
    form.setValue('content', words, {
      shouldDirty: true,
      shouldTouch: true,
      shouldValidate: form.formState.isSubmitted,
    })
  const add = (paragraphs: string[]) => {
    const before = form.getValues('content')
    const { words, caret } = insertParagraphs(before, paragraphs, area()?.selectionStart)
    write(words)
    area()?.setSelectionRange(caret, caret)
    setAdded({ before, after: words })
    setAnswers(NO_ANSWERS)
    isWritten.current = true
    setOpen(false)
  }
  const isUndoable = added !== undefined && content === added.after
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button
        ref={opener}
        variant="secondary"
        icon={<Lightbulb aria-hidden="true" className="size-5" />}
        onClick={() => {
          isWritten.current = false
          setOpen(true)
        }}
      >
        M’aider à écrire
      </Button>
      <p role="status" className="text-ink-soft text-sm empty:hidden">
        {isUndoable && 'Vos réponses sont dans la lettre.'}
      </p>
      {isUndoable && (
        <Button
          variant="ghost"
          icon={<Undo2 aria-hidden="true" className="size-5" />}
          onClick={() => {
            write(added.before)
            setAdded(undefined)
          }}
        >
          Annuler
        </Button>
      )}
      {isOpen && (
        <Suspense>
          <HelpSheet
            kind={kind ?? 'letter'}
            answers={answers}
            onChange={setAnswers}
            onRecorded={onRecorded}
            onClose={() => setOpen(false)}
            onAdd={add}
            returnTo={() => (isWritten.current ? area() : opener.current)}
          />
        </Suspense>
      )}
    </div>
  )
}

/** Puts them at the caret, each as a paragraph of its own, and the caret behind them. */
function insertParagraphs(words: string, paragraphs: readonly string[], caret = words.length) {
  const [before, after] = [words.slice(0, caret).trimEnd(), words.slice(caret).trimStart()]
  const start = [before, ...paragraphs].filter(Boolean).join('\n\n')
  return { words: [start, after].filter(Boolean).join('\n\n'), caret: start.length }
}
