import { Notice } from '#web/ui/notice.tsx'

/** What another app handed over is in the letter. */
export function SharedNotice({ fileCount }: { fileCount: number }) {
  return (
    <Notice tone="success" title="Ce que vous avez partagé est dans cette lettre">
      {fileCount > 1
        ? 'Une lettre porte un seul fichier\u00A0: le premier est joint.'
        : 'Ajoutez quelques mots, choisissez le jour, puis posez le sceau.'}
    </Notice>
  )
}
