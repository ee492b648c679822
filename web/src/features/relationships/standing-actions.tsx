import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { Standing } from '#contract/profiles.ts'
import { Button } from '#web/ui/button.tsx'
import { AskDialog } from './ask-dialog.tsx'
import { PersonMenu } from './person-menu.tsx'
import { TypeBadge } from './type-badge.tsx'

interface StandingActionsProps {
  personId: string
  pseudo: string
  standing: NonNullable<Standing>
  onReport: () => void
}

/** What ties me to somebody, and what I may do about it. */
export function StandingActions({ personId, pseudo, standing, onReport }: StandingActionsProps) {
  const { relationship, request } = standing
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      {relationship && <TypeBadge type={relationship.type} />}
      {!relationship && !request && (
        <Button
          icon={<UserPlus aria-hidden="true" className="size-5" />}
          onClick={() => setAsking(true)}
        >
          Ajouter
        </Button>
      )}
      <PersonMenu
        personId={personId}
        pseudo={pseudo}
        relationshipId={relationship?.id}
        onReport={onReport}
      />
      {isAsking && (
        <AskDialog personId={personId} pseudo={pseudo} onClose={() => setAsking(false)} />
      )}
    </>
  )
}
