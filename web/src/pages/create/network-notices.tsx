import { Notice } from '#web/ui/notice.tsx'
import type { WaitingSeal } from './use-waiting-seal.ts'

/** On the page, while one writes without a network. */
export function OfflineNotice() {
  return (
    <Notice tone="warning" title="Vous êtes hors ligne">
      Écrivez&nbsp;: tout est gardé sur cet appareil. La lettre pourra être scellée dès que le
      réseau sera revenu.
    </Notice>
  )
}

interface NetworkNoticeProps {
  network: Pick<WaitingSeal, 'isOnline' | 'isWaiting'>
  hasPassed: boolean
}

/** Before sealing: what the network, or the time it took, means for it. Says so as it changes. */
export function NetworkNotice({ network: { isOnline, isWaiting }, hasPassed }: NetworkNoticeProps) {
  if (hasPassed) {
    return (
      <Notice tone="warning" title="La date choisie est passée pendant l’attente">
        Scellée maintenant, la lettre serait dévoilée immédiatement. Revenez au texte pour choisir
        une autre date. Rien n’est perdu.
      </Notice>
    )
  }
  if (isOnline) return null
  if (!isWaiting) {
    return (
      <Notice tone="warning" title="Vous êtes hors ligne">
        La lettre n’est pas encore scellée. Elle est gardée sur cet appareil&nbsp;: rien n’est
        perdu.
      </Notice>
    )
  }
  return (
    <Notice tone="warning" title="Pas encore scellée">
      Gardez cette page ouverte&nbsp;: la lettre sera scellée dès que le réseau revient. Si vous la
      fermez, elle reste sur cet appareil, et vous la scellerez en revenant.
    </Notice>
  )
}
