import { KeyRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { PasswordForm } from './password-form.tsx'

const SUCCESS_MS = 3000

/** The password: closed until it is to be changed, and closed again once it is. */
export function PasswordPanel({ email }: { email: string }) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  const [isChanged, setChanged] = useState(false)
  useEffect(() => {
    if (!isChanged) return
    const timer = setTimeout(() => setChanged(false), SUCCESS_MS)
    return () => clearTimeout(timer)
  }, [isChanged])
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return (
    <Panel
      title="Mot de passe"
      intro="Le changer déconnecte tous vos autres appareils et met fin à l’adresse à laquelle un agenda suit votre calendrier."
    >
      {isOpen ? (
        <PasswordForm
          email={email}
          onCancel={() => setOpen(false)}
          onChanged={() => {
            setOpen(false)
            setChanged(true)
          }}
        />
      ) : (
        <Button
          ref={opener}
          variant="secondary"
          icon={<KeyRound aria-hidden="true" className="size-5" />}
          onClick={() => setOpen(true)}
        >
          Changer le mot de passe
        </Button>
      )}
      {isChanged && (
        <Notice tone="success" className="mt-4">
          Mot de passe modifié avec succès
        </Notice>
      )}
    </Panel>
  )
}
