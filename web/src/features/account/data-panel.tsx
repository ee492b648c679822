import { Download, FileArchive } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { useExport, useExportWithFiles } from './account.queries.ts'

export function DataPanel() {
  const { pseudo } = useSignedInUser()
  return (
    <Panel title="Mes données" intro="Tout ce que vous avez confié, à garder chez vous.">
      <div className="flex flex-col gap-5">
        <ExportButton
          saving={useExport(pseudo)}
          icon={<Download aria-hidden="true" className="size-5" />}
          label="Exporter mes données"
          busyLabel="Préparation du fichier"
          done="Le fichier est enregistré sur cet appareil."
        >
          Un fichier JSON&#8239;: profil, révélations, relations et chiffres.
        </ExportButton>
        <ExportButton
          saving={useExportWithFiles()}
          icon={<FileArchive aria-hidden="true" className="size-5" />}
          label="Tout télécharger (ZIP)"
          busyLabel="Préparation de l’archive"
          done="Le téléchargement commence. Il peut être long : il contient tous vos fichiers."
        >
          La même chose, avec tous vos fichiers, une page à lire hors ligne, et les sommes SHA-256
          qui montrent que rien n’a changé.
        </ExportButton>
      </div>
    </Panel>
  )
}

interface ExportButtonProps {
  saving: ReturnType<typeof useExport>
  icon: ReactNode
  label: string
  busyLabel: string
  done: string
  /** What the export contains. */
  children: ReactNode
}

function ExportButton({ saving, icon, label, busyLabel, done, children }: ExportButtonProps) {
  const { mutate: save, isPending, isSuccess, error } = saving
  return (
    <div>
      <Button
        variant="secondary"
        icon={icon}
        busy={isPending}
        busyLabel={busyLabel}
        className="max-sm:w-full"
        onClick={() => save()}
      >
        {label}
      </Button>
      <p className="mt-1.5 text-ink-soft text-sm">{children}</p>
      {isSuccess && (
        <Notice tone="success" className="mt-3">
          {done}
        </Notice>
      )}
      {error && (
        <Notice tone="error" className="mt-3">
          {errorSentence(error, 'Erreur lors de l’export de vos données')}
        </Notice>
      )}
    </div>
  )
}
