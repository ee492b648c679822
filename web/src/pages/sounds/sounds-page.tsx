import { ImportDialog } from '#web/features/recordings/import-dialog.tsx'
import { RecorderDialog } from '#web/features/recordings/recorder-dialog.tsx'

export function SoundsPage() {
  return (
    <div className="content">
      <h1>Messages Audio</h1>
      <RecorderDialog open={false} onClose={() => {}} />
      <ImportDialog open={false} onClose={() => {}} />
    </div>
  )
}
