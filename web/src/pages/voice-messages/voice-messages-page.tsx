import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { limitHelp } from '#web/features/subscriptions/plans-link.tsx'
import { UnsentRecordings } from '#web/features/voice-messages/unsent-recordings.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { RecordActions, VoiceMessagesView } from './voice-messages-view.tsx'

const RecorderDialog = lazy(async () => ({
  default: (await import('#web/features/voice-messages/recorder-dialog.tsx')).RecorderDialog,
}))
const ImportDialog = lazy(async () => ({
  default: (await import('#web/features/voice-messages/import-dialog.tsx')).ImportDialog,
}))

export function VoiceMessagesPage() {
  const { opened, recipientId, record, importFile, close } = useOpenDialog()
  return (
    <>
      <Hero onRecord={record} onImport={importFile} />
      <div className="container-page lg:pb-6">
        <VoiceMessagesView onRecord={record} onImport={importFile}>
          <UnsentRecordings refusalHelp={limitHelp} />
        </VoiceMessagesView>
      </div>
      <Suspense>
        {opened === 'recorder' && (
          <RecorderDialog
            key={recipientId}
            open
            onClose={close}
            recipientId={recipientId}
            refusalHelp={limitHelp}
          />
        )}
        {opened === 'import' && <ImportDialog open onClose={close} refusalHelp={limitHelp} />}
      </Suspense>
    </>
  )
}

const RECIPIENT_PARAMETER = 'pour'

type Opened = 'recorder' | 'import' | undefined

/** `?pour=<id>` in the address opens the recorder with that recipient. */
function useOpenDialog() {
  const [params, setParams] = useSearchParams()
  const [opened, open] = useState<Opened>()
  const recipientId = params.get(RECIPIENT_PARAMETER) ?? undefined
  return {
    opened: opened ?? (recipientId ? ('recorder' as const) : undefined),
    recipientId,
    record: () => open('recorder'),
    importFile: () => open('import'),
    close: () => {
      open(undefined)
      // Going back must not open the dialog again.
      if (recipientId)
        setParams(withoutRecipient(params), { replace: true, preventScrollReset: true })
    },
  }
}

function withoutRecipient(params: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(params)
  rest.delete(RECIPIENT_PARAMETER)
  return rest
}

interface HeroProps {
  onRecord: () => void
  onImport: () => void
}

function Hero(props: HeroProps) {
  return (
    <div className="theme-night bg-voices relative overflow-hidden text-ink">
      <VoiceDrawing />
      <div className="container-page relative pt-6 pb-14 sm:pt-9 sm:pb-18">
        <PageHeading className="text-[2.2rem] leading-[1.08] sm:text-5xl">
          Messages Audio
        </PageHeading>
        <p className="mt-3 max-w-lg text-ink-soft text-lg leading-snug">
          Une voix se garde mieux que des mots. Écoutez celles de votre cercle, confiez la vôtre
          pour aujourd’hui ou pour plus tard.
        </p>
        <div className="mt-5">
          <RecordActions {...props} />
        </div>
      </div>
    </div>
  )
}

const BARS = [
  10, 22, 14, 34, 52, 30, 64, 88, 58, 96, 70, 110, 82, 124, 92, 60, 104, 76, 48, 84, 56, 32, 46, 24,
  38, 18, 26, 12, 16, 8,
]

function VoiceDrawing() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 420 140"
      className="-translate-y-1/2 absolute top-[46%] right-[max(1rem,calc(50%-35rem))] hidden w-105 lg:block"
    >
      <defs>
        <linearGradient id="voice" x1="0" x2="1" y1="0" y2="0">
          <stop offset="0" stopColor="#6f7cc4" stopOpacity="0.5" />
          <stop offset="0.45" stopColor="#c2584c" />
          <stop offset="0.7" stopColor="#f0a860" />
          <stop offset="1" stopColor="#f6c987" stopOpacity="0.35" />
        </linearGradient>
      </defs>
      <path
        d={BARS.map((height, bar) => `M${8 + bar * 14} ${70 - height / 2}v${height}`).join('')}
        stroke="url(#voice)"
        strokeWidth="6"
        strokeLinecap="round"
      />
    </svg>
  )
}
