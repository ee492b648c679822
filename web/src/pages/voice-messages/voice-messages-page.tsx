import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { limitHelp } from '#web/features/subscriptions/plans-link.tsx'
import { UnsentRecordings } from '#web/features/voice-messages/unsent-recordings.tsx'
import SoundWave from '#web/ui/art/sound-wave.svg?react'
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
      <SoundWave className="-translate-y-1/2 absolute top-[46%] right-[max(1rem,calc(50%-35rem))] hidden w-105 lg:block" />
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
