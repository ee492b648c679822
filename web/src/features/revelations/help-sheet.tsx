import { useEffect, useRef, useState } from 'react'
import type { Kind } from '#contract/kinds.ts'
import { ShortRecorder } from '#web/features/media/short-recorder.tsx'
import { useShortRecording } from '#web/features/media/use-short-recording.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import {
  type HelpAnswers,
  OCCASION_LABELS,
  type Occasion,
  occasionsOf,
  questionsFor,
} from './helped-writing.ts'

const LONGEST_ANSWER_SECONDS = 180

interface HelpSheetProps {
  kind: Kind
  answers: HelpAnswers
  onChange: (answers: HelpAnswers) => void
  /** Takes a spoken answer as a file of the letter. */
  onRecorded: ((recording: File, question: string) => void) | undefined
  /** The answers, as paragraphs of the letter. */
  onAdd: (paragraphs: string[]) => void
  onClose: () => void
  returnTo: () => HTMLElement | null | undefined
}

/** Asks for the occasion, then one question after the other, each to skip. */
export function HelpSheet({
  kind,
  answers,
  onChange,
  onRecorded,
  onAdd,
  onClose,
  returnTo,
}: HelpSheetProps) {
  const occasions = occasionsOf(kind)
  const [only] = occasions
  const occasion = answers.occasion ?? (occasions.length === 1 ? only : undefined)
  const questions = occasion ? questionsFor(kind, occasion) : []
  const [at, setAt] = useState(0)
  const question = questions[at]
  const paragraphs = questions.flatMap((key) => answers.written[key]?.trim() || [])
  const answer = question ? (answers.written[question] ?? '') : ''
  const isLast = at === questions.length - 1
  const goBack = () => {
    if (at > 0) setAt(at - 1)
    else onChange({ ...answers, occasion: undefined })
  }
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="M’aider à écrire"
      returnTo={returnTo}
      footer={
        question && (
          <>
            {(at > 0 || occasions.length > 1) && (
              <Button variant="ghost" onClick={goBack}>
                {at > 0 ? 'Question précédente' : 'Une autre occasion'}
              </Button>
            )}
            {!isLast ? (
              <Button
                variant={answer.trim() ? 'primary' : 'secondary'}
                onClick={() => setAt(at + 1)}
              >
                {answer.trim() || answers.spoken === question ? 'Suivante' : 'Passer'}
              </Button>
            ) : paragraphs.length > 0 ? (
              <Button onClick={() => onAdd(paragraphs)}>Ajouter à ma lettre</Button>
            ) : (
              <Button variant="secondary" onClick={onClose}>
                Revenir à ma lettre
              </Button>
            )}
          </>
        )
      }
    >
      {question === undefined ? (
        <Occasions
          occasions={occasions}
          onChoose={(chosen) => {
            setAt(0)
            onChange({ ...answers, occasion: chosen })
          }}
        />
      ) : (
        <Question
          key={question}
          place={`Question ${at + 1} sur ${questions.length}`}
          question={question}
          answer={answer}
          onAnswer={(written) =>
            onChange({ ...answers, written: { ...answers.written, [question]: written } })
          }
          isSpoken={answers.spoken === question}
          onRecorded={
            onRecorded &&
            ((recording) => {
              onRecorded(recording, question)
              onChange({ ...answers, spoken: question })
            })
          }
        />
      )}
    </Dialog>
  )
}

interface OccasionsProps {
  occasions: readonly Occasion[]
  onChoose: (occasion: Occasion) => void
}

function Occasions({ occasions, onChoose }: OccasionsProps) {
  return (
    <fieldset>
      <legend className="mb-3 text-ink-soft">Pour quelle occasion&#8239;?</legend>
      <div className="grid grid-cols-2 gap-2">
        {occasions.map((occasion) => (
          <Button
            key={occasion}
            variant="secondary"
            className="justify-start! text-left!"
            onClick={() => onChoose(occasion)}
          >
            {OCCASION_LABELS[occasion]}
          </Button>
        ))}
      </div>
    </fieldset>
  )
}

interface QuestionProps {
  place: string
  question: string
  answer: string
  onAnswer: (answer: string) => void
  isSpoken: boolean
  onRecorded: ((recording: File) => void) | undefined
}

function Question({ place, question, answer, onAnswer, isSpoken, onRecorded }: QuestionProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => area.current?.focus(), [])
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-soft text-sm">{place}</p>
      <TextArea
        ref={area}
        label={question}
        rows={5}
        value={answer}
        onChange={({ target }) => onAnswer(target.value)}
      />
      {isSpoken && (
        <Notice tone="success">Votre réponse à voix haute est jointe à la lettre.</Notice>
      )}
      {onRecorded && !isSpoken && <Aloud onRecorded={onRecorded} />}
    </div>
  )
}

/** What is said is joined as it was said: no voice leaves to be written down by somebody else. */
function Aloud({ onRecorded }: { onRecorded: (recording: File) => void }) {
  const recording = useShortRecording({
    longestSeconds: LONGEST_ANSWER_SECONDS,
    fileName: 'reponse',
    onRecorded,
  })
  return <ShortRecorder recording={recording} label="Répondre à voix haute" hasPause />
}
