import { lazy, Suspense } from 'react'
import { UnsentRecordings } from '#web/features/recordings/unsent-recordings.tsx'
import { limitWayOut } from '#web/features/subscriptions/plans-link.tsx'
import { SoundsHero } from './sounds-hero.tsx'
import { SoundsView } from './sounds-view.tsx'
import { useRecorderAddress } from './use-recorder-address.ts'

const RecorderDialog = lazy(async () => ({
  default: (await import('#web/features/recordings/recorder-dialog.tsx')).RecorderDialog,
}))
const ImportDialog = lazy(async () => ({
  default: (await import('#web/features/recordings/import-dialog.tsx')).ImportDialog,
}))

export function SoundsPage() {
  const { opened, recipientId, record, importFile, close } = useRecorderAddress()
  return (
    <>
      <SoundsHero onRecord={record} onImport={importFile} />
      <div className="content lg:pb-6">
        <SoundsView onRecord={record} onImport={importFile}>
          <UnsentRecordings wayOut={limitWayOut} />
        </SoundsView>
      </div>
      <Suspense>
        {opened === 'recorder' && (
          <RecorderDialog
            key={recipientId}
            open
            onClose={close}
            recipientId={recipientId}
            wayOut={limitWayOut}
          />
        )}
        {opened === 'import' && <ImportDialog open onClose={close} wayOut={limitWayOut} />}
      </Suspense>
    </>
  )
}
