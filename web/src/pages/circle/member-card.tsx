import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Mic, UserMinus, UserRound } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import { Link, useNavigate } from 'react-router'
import type { CircleMember } from '#contract/circle.ts'
import { circleMembersQuery } from '#web/features/circle/circle.queries.ts'
import { TypeBadge } from '#web/features/relationships/relationship-types.tsx'
import { useEndRelationship } from '#web/features/relationships/relationships.queries.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatElapsed } from '#web/lib/dates.ts'
import { paths } from '#web/lib/paths.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { Statistic } from '#web/ui/statistic.tsx'
import { showToast } from '#web/ui/toasts.tsx'

interface MemberCardProps {
  member: CircleMember
  onRemove: () => void
}

/** A member of the family; the whole card links to their profile. */
export function MemberCard({ member, onRemove }: MemberCardProps) {
  const { user_id, pseudo, avatar_url, created_at, deliveries_count, sounds_count } = member
  return (
    <li className="relative flex min-w-0 flex-col gap-4 rounded-card border border-line bg-surface p-4 shadow-soft transition-transform duration-200 has-[a:hover]:-translate-y-0.5">
      <div className="flex items-start gap-3">
        <Avatar name={pseudo} src={avatar_url} className="size-14 text-xl" />
        <div className="min-w-0 flex-1">
          <h3 className="text-lg [overflow-wrap:anywhere]">
            <Link to={paths.profile(user_id)} className="covers-card">
              @{pseudo}
            </Link>
          </h3>
          <div className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1">
            <TypeBadge type="family" />
            <span className="text-ink-soft text-sm">{memberSince(created_at)}</span>
          </div>
        </div>
        <div className="-mt-1 -mr-1 relative z-10">
          <MemberMenu member={member} onRemove={onRemove} />
        </div>
      </div>
      <dl className="mt-auto grid grid-cols-2 divide-x divide-line border-line border-t pt-3 text-center">
        <Statistic place="card" value={deliveries_count} one="livraison" many="livraisons" />
        <Statistic place="card" value={sounds_count} one="message vocal" many="messages vocaux" />
      </dl>
    </li>
  )
}

function MemberMenu({ member: { user_id, pseudo }, onRemove }: MemberCardProps) {
  const navigate = useNavigate()
  return (
    <Menu
      trigger={
        <IconButton
          label={`Plus d’actions pour @${pseudo}`}
          icon={<Ellipsis aria-hidden="true" className="size-5" />}
        />
      }
    >
      <MenuItem
        icon={<UserRound aria-hidden="true" className="size-5" />}
        onSelect={() => navigate(paths.profile(user_id))}
      >
        Voir le profil
      </MenuItem>
      <MenuItem
        icon={<Mic aria-hidden="true" className="size-5" />}
        onSelect={() => navigate(paths.recordFor(user_id))}
      >
        Envoyer un message
      </MenuItem>
      <MenuItem
        danger
        icon={<UserMinus aria-hidden="true" className="size-5" />}
        onSelect={onRemove}
      >
        Retirer
      </MenuItem>
    </Menu>
  )
}

function memberSince(instant: string): string {
  const elapsed = formatElapsed(instant, serverNow())
  return elapsed ? `Membre depuis ${elapsed}` : 'Membre depuis aujourd’hui'
}

const FAILED = 'Erreur lors de la suppression du membre famille'

interface RemoveMemberDialogProps {
  /** The dialog is closed without a member. */
  member: CircleMember | undefined
  onClose: () => void
  /** What gets the focus once the card is gone. */
  returnTo: RefObject<HTMLElement | null>
}

export function RemoveMemberDialog({ member, onClose, returnTo }: RemoveMemberDialogProps) {
  const client = useQueryClient()
  const removing = useRef<string>(undefined)
  const remove = useEndRelationship(() => {
    client.setQueryData(circleMembersQuery.queryKey, (members) =>
      members?.filter(({ id }) => id !== member?.id),
    )
    onClose()
    showToast('success', `@${member?.pseudo} ne fait plus partie de votre cercle`)
  })
  return (
    <ConfirmDialog
      open={member !== undefined}
      onOpenChange={() => {
        remove.reset()
        onClose()
      }}
      title={`Retirer @${member?.pseudo ?? ''} de votre famille ?`}
      description="Vous ne verrez plus, l’un de l’autre, que ce qui est public. Cette personne n’en est pas avertie."
      confirmLabel="Retirer"
      busy={remove.isPending}
      error={remove.error ? sentenceOf(remove.error) : undefined}
      onConfirm={() => {
        removing.current = member?.id
        if (member) remove.mutate(member.id)
      }}
      returnTo={() => {
        const id = removing.current
        removing.current = undefined
        const members = client.getQueryData(circleMembersQuery.queryKey)
        // The menu that had the focus is gone with the card.
        return id && !members?.some((known) => known.id === id) ? returnTo.current : null
      }}
    />
  )
}

/** The failure, with the reason of the server if there is one. */
function sentenceOf(error: Error): string {
  const why = errorSentence(error, '')
  return why ? `${FAILED}. ${why}` : FAILED
}
